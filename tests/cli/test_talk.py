"""A talk in the terminal, driven as a person or a script drives it."""

import re
import signal

import pytest

from foretree.runs.reader import events as read


def started(run):
    return next(iter(read(run, kinds=("run.started",)))).data


def test_one_world_and_one_belief_for_all_lines(told):
    job, runs = told("put the mango into the fridge", "where is it?", "put the mango into the fridge")
    assert job.status == 0, job.err
    assert job.err == ""
    assert "\x1b" not in job.out
    assert "mango1 is in fridge1." in job.out
    assert "There is nothing to do for it." in job.out
    assert job.out.count("Done.") == 2
    assert [started(run)["instruction"] for run in runs] == ["put the mango into the fridge"] * 2
    assert [run.info().outcome for run in runs] == ["reached", "reached"]
    assert "after" not in started(runs[0])
    assert started(runs[1])["after"] == runs[0].id


def test_what_is_short_is_completed_by_what_was_done_last(told):
    job, _ = told("put mug1 into the sink", "no, the other one", "and the plate too", "take it")
    assert job.status == 0, job.out
    understood = re.findall(r"I understand: (.*)\.", job.out)
    assert understood == [
        "put mug1 into sink1",
        "put mug2 into sink1",
        "put plate1 into sink1",
        "take plate1",
    ]


def test_the_record_answers_questions_about_what_was_done(told):
    job, runs = told(
        "what did you do?",
        "put the mango into the fridge",
        "what did you do?",
        "why did you open the fridge?",
        "have you washed the plate?",
        "are you able to wash the plate?",
        "when did you last see the mango?",
    )
    assert job.status == 0, job.out
    assert len(runs) == 1
    assert "I have done nothing yet." in job.out
    assert re.search(r"So far: .*pick up mango1.*open fridge1.*place mango1 in fridge1\.", job.out)
    assert re.search(r"I did it \(open fridge1\) for: put mango1 into fridge1, since I could not ", job.out)
    assert "No, I have not done that: washed the plate." in job.out
    assert re.search(r"Yes: .*wash plate1\.", job.out)
    assert re.search(r"mango1 is in fridge1\. .* ago\.", job.out)


def test_what_was_not_done_is_not_gone_on_from(told):
    job, runs = told("put the apple on table2", "juggle the plate", "and the bread too")
    assert job.status == 2
    assert 'What shall be done with "the bread"?' in job.out
    assert len(runs) == 1


def test_the_next_line_answers_what_was_asked_back(told):
    job, runs = told("put the mug into the sink", "the one in the cupboard")
    assert job.status == 0, job.out
    assert "Which do you mean: mug1 on table1 or mug2 in cupboard1?" in job.out
    assert "Now: pick mug2 cupboard1." in job.out
    assert len(runs) == 1


@pytest.mark.parametrize(
    ("answer", "taken"), [("2", "mug2 cupboard1"), ("number one", "mug1 table1"), ("either", "mug1 table1")]
)
def test_a_number_or_either_answers_it_too(told, answer, taken):
    job, runs = told("put the mug into the sink", answer)
    assert job.status == 0, job.out
    assert f"Now: pick {taken}." in job.out
    assert len(runs) == 1


def test_what_is_forbidden_stays_forbidden(told):
    job, runs = told("never open the drawer", "put the apple on table2", "put the fork on table2")
    assert job.status == 1
    assert "From now on I keep to (never-use open drawer1)." in job.out
    assert "Not done: There is no plan that keeps (never-use open drawer1)" in job.out
    assert [run.info().outcome for run in runs] == ["reached", "given-up"]
    assert started(runs[1])["constraints"] == ["(never-use open drawer1)"]


def test_each_run_has_its_own_seconds(told):
    limit = ("--set", "agent.time_limit=60")
    job, runs = told(*(f"put the apple on {place}" for place in ("table2", "the counter") * 4), options=limit)
    assert job.status == 0, job.out
    ends = [next(iter(read(run, kinds=("run.ended",)))) for run in runs]
    assert ends[-1].time > 60  # the clock goes on
    assert all(end.data["seconds"] < 60 for end in ends)


def test_nothing_follows_the_good_bye(told):
    job, runs = told("stop", "wait", "go on", "yes", "Bye!", "put the apple on table2")
    assert job.status == 0
    assert job.out.count("I am doing nothing just now.") == 3
    assert "Nothing was asked." in job.out
    assert runs == []


def test_a_later_run_of_a_talk_cannot_be_resumed(foretree, store):
    job = foretree.start("talk", "--speed", "20", stdin="take the apple\nput the bread into the sink\n")
    job.until(lambda: "I understand: put bread1" in job.out)
    job.kill()
    last = foretree.run("resume", "last")
    assert last.status == 3, last.out
    assert "came after another one in the same talk" in last.err


@pytest.mark.parametrize("terminal", [True, False])
def test_a_run_that_broke_off_while_it_asked_asks_again_when_it_is_resumed(foretree, terminal):
    job = foretree.start("talk", terminal=True)
    job.until(lambda: "> " in job.out)
    job.type("put the mug into the sink\n")
    job.until(lambda: "Which do you mean" in job.out)
    job.kill()
    if terminal:
        again = foretree.start("resume", "last", "--plain", terminal=True)
        again.until(lambda: "Which do you mean" in again.out)
        again.type("the one in the cupboard\n")
        assert again.code() == 0
    else:
        again = foretree.run("resume", "last", "--plain", stdin="the one in the cupboard\n")
        assert again.status == 0, again.err
    assert "place_in(robot1, left_hand, mug2, sink1)" in again.out


def test_a_person_interrupts(foretree, store):
    before = set(store.ids())
    job = foretree.start("talk", "--speed", "4", terminal=True)
    job.until(lambda: "> " in job.out)
    job.type("put the mango into the fridge\n")
    job.until(lambda: "Now: move" in job.out)
    job.type("where is the apple?\n")
    job.until(lambda: "apple1 is on table1." in job.out)
    job.type("and the apple too\n")
    job.until(lambda: "put mango1 into fridge1; and put apple1 into fridge1" in job.out)
    job.type("stop\n")
    job.until(lambda: 'I have stopped: the person said: "stop"' in job.out)
    job.type("put mug1 into the sink\n")
    job.until(lambda: "I understand: put mug1" in job.out)
    job.type("\x03")
    job.until(lambda: "I have stopped: interrupted." in job.out)
    job.type("put mug1 into the sink\n")
    job.until(lambda: job.out.count("I understand: put mug1") == 2)
    job.type("bye\n")
    assert job.code() == 0
    assert "I have stopped: the person has left." in job.out
    outcomes = [store.open(one).info().outcome for one in set(store.ids()) - before]
    assert outcomes == ["cancelled"] * 3


def test_ctrl_c_while_nothing_is_done_leaves(foretree):
    job = foretree.start("talk", terminal=True)
    job.until(lambda: "> " in job.out)
    job.type("\x03")
    assert job.code() == 130


def test_the_end_of_the_input_stops_the_robot_first(foretree, store):
    job = foretree.start("talk", "--speed", "4", terminal=True)
    job.until(lambda: "> " in job.out)
    job.type("put the mango into the fridge\n")
    job.until(lambda: "Now: move" in job.out)
    job.type("\x04")
    assert job.code() == 0
    assert store.open("last").info().outcome == "cancelled"


def test_options_without_a_sense_in_a_talk_are_not_there(foretree):
    job = foretree.run("talk", "--goal", "(on mug1 table2)")
    assert job.status == 2
    assert "No such option: --goal" in job.err


@pytest.mark.parametrize(
    ("lines", "state"),
    [
        (["put the mango into the fridge"], "Now: "),
        (["put the mango into the fridge", "wait"], "I wait."),
        (["Anna: put the apple on table2", "Ben: put the apple on the counter"], "Which shall it be: "),
    ],
)
def test_ctrl_c_stops_what_is_done_in_every_state_and_the_talk_goes_on(foretree, lines, state):
    job = foretree.start("talk", "--speed", "20", terminal=True)
    job.until(lambda: "ends the talk" in job.out)
    for number, line in enumerate(lines):
        if number:
            job.until(lambda: ("Done." if state.startswith("Which") else "Now: ") in job.out)
        job.type(f"{line}\n")
    job.until(lambda: state in job.out)
    job.send(signal.SIGINT)
    job.until(lambda: "I have stopped: interrupted." in job.out)
    job.type("where is the plate?\n")
    job.until(lambda: "plate1 is " in job.out)
    job.type("bye\n")
    job.until(lambda: job.code() is not None)
    assert job.code() == 0
    assert "Traceback" not in job.out


def test_what_is_said_of_a_thing_counts_where_another_would_do(told):
    job, _ = told("mug2 is cracked", "fill a mug with water", "fill mug2 with water", "bring me mug2")
    assert re.findall(r"fill (\w+) sink1", job.out) == ["mug1", "mug1"]
    assert "you said that mug2 is broken" in job.out
    assert "mug2 is not fillable, as I was told." in job.out
    assert "handover mug2 person1" in job.out


def test_what_is_said_of_the_only_thing_is_told_where_it_is_in_the_way(told):
    job, _ = told(
        "the knife is too blunt",
        "slice the tomato",
        "the fridge will not open",
        "put the mango into the fridge",
        "the fridge has been mended",
        "put the mango into the fridge",
    )
    assert re.search(r"Not done: .*You said that knife1 is blunt\.", job.out)
    assert re.search(r"Not done: .*You said that fridge1 does not afford open\.", job.out)
    assert job.out.count("Done.") == 1


def test_nothing_is_taken_that_all_is_wrong_with(told):
    job, _ = told("mug1 leaks", "mug2 is broken", "the glass is cracked", "bring me something to drink from")
    assert "I know of nothing else that would do." in job.out
    assert "Done." not in job.out


def test_conditions_of_a_users_own_hold_for_runs_and_for_what_is_added(told, tmp_path, monkeypatch):
    file = tmp_path / "conditions" / "household.yaml"
    file.parent.mkdir()
    condition = (
        '{together: ["(in ?a fridge1)", "(in ?b fridge1)", "(class ?b mug)"], because: "no mug beside {a}"}'
    )
    file.write_text(f"never:\n  - {condition}\n")
    monkeypatch.setenv("FORETREE_CONFIGS", str(tmp_path))
    job, runs = told("put the mango and mug1 into the fridge", "put the mango into the fridge")
    assert "no mug beside" in job.out
    assert job.out.count("Done.") == 1


def test_a_remark_is_no_answer_to_what_was_asked_back(told):
    job, _ = told("this mug is broken", "this knife is broken")
    assert job.out.count("say which") == 1, job.out
    assert "I keep in mind that knife1 is broken." in job.out


def test_what_shall_be_kept_so_holds_from_then_on(told):
    job, runs = told("keep the drawer shut", "why is the drawer shut?", "what is forbidden?")
    assert "From now on I keep to (always (not (open drawer1)))." in job.out, job.out
    assert "I do not know why drawer1 is shut" in job.out


def test_what_is_said_anew_corrects_what_was_done_and_what_was_refused(told):
    job, _ = told(
        "put the apple on table2",
        "no, into the sink",
        "no, not the apple, the bread",
        "put it back where it was",
        "undo that",
        "put the tomato on the knife",
        "sorry, on table1",
    )
    assert re.findall(r"I understand: (.*)\.", job.out) == [
        "put apple1 on table2",
        "put apple1 into sink1",
        "put bread1 into sink1",
        "put bread1 on counter1",
        "put bread1 in sink1",
        "put tomato1 on table1",
    ]


def test_what_stays_is_said_where_all_is_undone(told):
    job, runs = told("wash the plate", "undo that", "undo that", "please undo everything", options=())
    assert "I understand: put plate1 on table2; what cannot be undone: plate1 is clean." in job.out
    fresh, none = told("undo it")
    assert "There is nothing to undo." in fresh.out
    assert none == []


def test_courtesies_are_answered_and_nothing_moves(told):
    job, runs = told("good morning", "well done!", "ok", "don't", "table1")
    assert runs == []
    for answer in ("Good morning.", "Thank you.", "I am doing nothing just now.", 'be done with "table1"?'):
        assert answer in job.out
    assert "Commands begin with" not in job.out


def test_rules_are_lifted_and_can_be_asked_for(told):
    job, runs = told(
        "never touch the bread",
        "don't open the drawer",
        "you may touch the bread again",
        "what must you not do?",
        "forget about the drawer rule",
        "which rules are in force?",
        "put the fork on table2",
    )
    assert job.status == 0, job.out
    assert "I no longer keep to (never-use * bread1)." in job.out
    assert "> what must you not do?\nI keep to (never-use open drawer1)." in job.out
    assert "> which rules are in force?\nNothing is forbidden." in job.out
    assert len(runs) == 1


def test_a_rule_is_lifted_by_who_asked_for_it_and_as_wide_as_it_is(told):
    job, runs = told(
        "Anna: never touch the fridge",
        "Ben: you may touch the fridge again",
        "Anna: you may open the fridge again",
        "Anna: never mind what I said about the fridge",
        "forget about the sofa rule",
    )
    assert "So Anna has to lift that." in job.out
    assert "which forbids more than that" in job.out
    assert job.out.count("I no longer keep to") == 1
    assert "I keep to no such rule. Rules in force: none." in job.out
    assert runs == []


def test_what_was_said_of_a_thing_is_told(told):
    job, _ = told(
        "this knife is blunt",
        "never touch the apple",
        "where is the knife?",
        "what did I tell you about knife1?",
        "what have I said about the apple?",
        "what did I tell you about the fork?",
    )
    assert 'You said: "this knife is blunt".' in job.out
    assert 'You said: "never touch the apple".' in job.out
    assert "You told me nothing about fork1." in job.out


def test_what_did_nothing_is_not_what_was_done(told):
    job, _ = told("open the microwave", "open the microwave", "why did you do that?")
    assert "There is nothing to do for it." in job.out
    assert "I did it (open microwave1) for: open microwave1." in job.out
