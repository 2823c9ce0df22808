"""How well names that the mapping does not list are placed.

Each class is left out in turn, with all its names; each of its names is placed among the others, and what the
placement finds likely is compared with what the class affords. Names in use are easier: a class has an entry
of its own because it differs from its neighbours, and its synonyms are left out with it.

    python benchmarks/affordance_placement.py
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

from foretree.world_model.affordances.evaluation import Agreement, evaluate
from foretree.world_model.affordances.mapping import LIKELY
from foretree.world_model.affordances.mapping_file import load_mapping
from foretree.world_model.affordances.placement import Placer
from foretree.world_model.ontology import plain


def main() -> None:
    """Print the agreement by confidence."""
    mapping = load_mapping()
    names: Counter[float] = Counter()
    agreements: defaultdict[float, Agreement] = defaultdict(Agreement)
    for left_out, known in mapping.classes.items():
        others = {name: other for name, other in mapping.classes.items() if name != left_out}
        placer = Placer(replace(mapping, classes=others, evidence={}))
        likely = [affordance for affordance, probable in known.affords.items() if probable >= LIKELY]
        for name in (plain(left_out), *known.words):
            confidence = placer.place(name).confidence
            names[confidence] += 1
            agreements[confidence] += evaluate(placer, {name: likely}, judged=mapping.affordances).overall
    print("confidence  names  precision  recall    F1")
    for confidence, agreement in sorted(agreements.items(), reverse=True):
        figures = f"{agreement.precision:9.2f}  {agreement.recall:6.2f}  {agreement.f1:4.2f}"
        print(f"{confidence:10.1f}  {names[confidence]:5}  {figures}")


if __name__ == "__main__":
    main()
