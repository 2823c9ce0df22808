"""Nouns that name no class: what may stand before a description of things."""

from __future__ import annotations

from foretree.reasoning.offline.lexicon import word_set

#: Heads of phrases that name no kind, each with the determiner that it stands for, if it stands for one.
HEADS = {
    **dict.fromkeys(("something", "anything", "sth"), "any"),
    "what": "the",
    "whatever": "whatever",
    "everything": "all",
    **dict.fromkeys(
        word_set(
            """
            thing one object item stuff tool device gadget implement bit thingy article piece machine
            apparatus equipment thingamajig gizmo contraption ingredient product gear receptacle holder
            """
        ),
        "",
    ),
}
#: No adjective stands before these that tells of a kind: "the red one" is one of what was spoken of.
PRONOUNS = word_set("something anything sth what whatever everything one ones")
PLURAL_HEADS = word_set(
    """
    things ones objects items tools devices gadgets implements bits pieces machines apparatuses ingredients
    products articles receptacles holders
    """
)
#: What some nouns say of their things: they are for doing something with, or for being at.
ROLES_OF_HEADS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        word_set("tool device gadget implement utensil machine apparatu appliance gizmo"), ("with", "at")
    ),
    **dict.fromkeys(word_set("container receptacle holder vessel"), ("at",)),
    **dict.fromkeys(word_set("ingredient food drink beverage snack"), ("done",)),
}
