"""An inquiry: one reviser after the other, never two at once, never for ever."""

from __future__ import annotations

from concurrent.futures import Future

import pytest

from foretree.clock import Deferred, SimulatedClock
from foretree.planning.plan import Action
from foretree.reasoning.models.model import UnrecordedQuestionError
from foretree.revision.discrepancy import Discrepancy
from foretree.revision.reviser_chain import ReviserChain
from foretree.revision.revision import NoRevisionError, Revision, RevisionRequest
from foretree.runs.events import Tape

SITUATION = RevisionRequest((Discrepancy("d7", None, "goal", "a", "b", 1),), (), (), None, None, {}, None)


def revision(by: str) -> Revision:
    return Revision((Action("", "go", ()),), "because", by, 1)


class Answers:
    """A reviser with a prepared answer: a revision, an exception, or a function of the situation."""

    time_out = 5.0

    def __init__(self, name, answer=None):
        self.name = name
        self.answer = answer if answer is not None else revision(name)
        self.asked = 0

    def propose(self, situation):
        assert situation is SITUATION
        self.asked += 1
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class Desk:
    def __init__(self, *revisers):
        self.clock = SimulatedClock()
        self.tape = Tape()
        self.inquiry = ReviserChain(SITUATION, revisers, self.clock, self.tape)
        self.poll = self.inquiry.poll

    def log(self):
        return [(e.kind.removeprefix("revision."), e.data["reviser"]) for e in self.tape.events]


def later(clock, latency, result=None, error=None):
    future: Future = Future()
    if error is not None:
        future.set_exception(error)
    elif result is not None:
        future.set_result(result)
    return Deferred(future, clock, latency)


def slow(desk, name, latency, **outcome):
    return Answers(name, later(desk.clock, latency, **outcome))


def desk_of(make):
    """A desk whose revisers need its clock."""
    desk = Desk()
    desk.revisers = make(desk)
    desk.inquiry = ReviserChain(SITUATION, desk.revisers, desk.clock, desk.tape)
    desk.poll = desk.inquiry.poll
    return desk


def test_nobody_is_asked_before_the_first_poll():
    first = Answers("first")
    Desk(first)
    assert first.asked == 0


def test_the_first_answer_is_on_offer_and_the_next_reviser_is_not_asked():
    first, second = Answers("first"), Answers("second")
    desk = Desk(first, second)
    assert desk.poll() == revision("first")
    assert desk.inquiry.asking == "first"
    assert desk.poll() is None, "it is up to the caller now"
    assert (first.asked, second.asked) == (1, 0)
    assert not desk.inquiry.exhausted
    assert desk.tape.events[0].data == {"discrepancy": "d7", "reviser": "first"}


def test_a_rejected_offer_leads_to_the_next_reviser():
    desk = Desk(Answers("first"), Answers("second"))
    desk.poll()
    desk.inquiry.reject("no good")
    assert desk.inquiry.asking is None
    assert desk.poll() == revision("second")
    assert desk.inquiry.refusals == [("first", "no good")]
    assert desk.log() == [("asked", "first"), ("rejected", "first"), ("asked", "second")]


def test_who_has_nothing_to_offer_is_passed_over_at_once():
    desk = Desk(Answers("first", NoRevisionError("no idea")), Answers("second"))
    assert desk.poll() == revision("second")
    assert desk.inquiry.refusals == [("first", "no idea")]
    assert desk.tape.of("revision.rejected")[0].data == {
        "discrepancy": "d7",
        "reviser": "first",
        "why": "no idea",
    }


def test_when_nobody_is_left_it_is_exhausted():
    desk = Desk(Answers("first", NoRevisionError("no")), Answers("second"))
    assert not desk.inquiry.exhausted
    desk.poll()
    desk.inquiry.reject("no good")
    assert desk.inquiry.exhausted
    assert desk.poll() is None
    assert Desk().inquiry.exhausted


def test_an_answer_that_takes_its_time_is_waited_for():
    desk = desk_of(lambda desk: [slow(desk, "slow", 3.0, result=revision("slow")), Answers("quick")])
    assert desk.poll() is None
    assert desk.inquiry.asking == "slow"
    assert not desk.inquiry.exhausted
    desk.clock.sleep_until(2.9)
    assert desk.poll() is None
    desk.clock.sleep_until(3.0)
    assert desk.poll() == revision("slow")
    assert desk.revisers[1].asked == 0, "never a race"


def test_as_long_as_the_last_one_thinks_it_is_not_exhausted():
    desk = desk_of(lambda desk: [slow(desk, "slow", 3.0, result=revision("slow"))])
    desk.poll()
    assert not desk.inquiry.exhausted


def test_an_answer_that_is_there_at_once_is_taken_at_once():
    desk = desk_of(lambda desk: [slow(desk, "slow", 0.0, result=revision("slow"))])
    assert desk.poll() == revision("slow")


def test_who_does_not_answer_in_time_is_given_up_and_told_so():
    desk = desk_of(lambda desk: [slow(desk, "silent", 1e9), Answers("next")])
    assert desk.poll() is None
    pending = desk.revisers[0].answer
    desk.clock.sleep_until(4.9)
    assert desk.poll() is None
    desk.clock.sleep_until(5.0)
    assert desk.poll() == revision("next")
    assert pending.future.cancelled()
    assert desk.inquiry.refusals == [("silent", "no answer within 5 s")]


def test_an_answer_in_the_last_moment_counts():
    desk = desk_of(lambda desk: [slow(desk, "slow", 5.0, result=revision("slow"))])
    desk.poll()
    desk.clock.sleep_until(5.0)
    assert desk.poll() == revision("slow")


def test_the_time_of_each_reviser_runs_from_when_it_is_asked():
    def make(desk):
        return [slow(desk, "one", 1e9), Answers("two", None)]

    desk = desk_of(make)
    desk.revisers[1].answer = Deferred(Future(), desk.clock, 1e9)
    desk.poll()
    desk.clock.sleep_until(6.0)
    assert desk.poll() is None
    assert desk.inquiry.asking == "two"
    desk.clock.sleep_until(10.9)
    assert desk.poll() is None
    assert desk.inquiry.asking == "two"
    desk.clock.sleep_until(11.0)
    assert desk.poll() is None
    assert desk.inquiry.exhausted


def test_who_changes_their_mind_later_is_passed_over():
    desk = desk_of(lambda desk: [slow(desk, "slow", 1.0, error=NoRevisionError("no way")), Answers("next")])
    desk.poll()
    desk.clock.sleep_until(1.0)
    assert desk.poll() == revision("next")
    assert desk.inquiry.refusals == [("slow", "no way")]


@pytest.mark.parametrize("error", [ZeroDivisionError("bang"), KeyError("mug1"), RuntimeError()])
@pytest.mark.parametrize("when", ["at once", "later"])
def test_a_reviser_that_breaks_down_takes_nobody_with_it(error, when):
    def make(desk):
        broken = Answers("broken", error) if when == "at once" else slow(desk, "broken", 1.0, error=error)
        return [broken, Answers("next")]

    desk = desk_of(make)
    desk.poll()
    desk.clock.sleep_until(1.0)
    assert (desk.poll() or revision("next")) == revision("next")
    assert desk.inquiry.asking == "next"
    ((name, why),) = desk.inquiry.refusals
    assert name == "broken"
    assert type(error).__name__ in why


def test_a_replay_that_goes_another_way_goes_no_further():
    """The next reviser might help, but then it would be another run than the one that was recorded."""
    error = UnrecordedQuestionError("no answer")
    desk = desk_of(lambda desk: [slow(desk, "replay", 1.0, error=error), Answers("next")])
    desk.poll()
    desk.clock.sleep_until(1.0)
    with pytest.raises(UnrecordedQuestionError):
        desk.poll()
    assert desk.revisers[1].asked == 0


def test_somebody_elses_cancel_is_a_refusal():
    desk = desk_of(lambda desk: [slow(desk, "slow", 1.0), Answers("next")])
    desk.poll()
    desk.revisers[0].answer.future.cancel()
    desk.clock.sleep_until(1.0)
    assert desk.poll() == revision("next")
    assert desk.inquiry.refusals == [("slow", "cancelled")]


def test_cancelling_it_asks_nobody_any_more():
    desk = desk_of(lambda desk: [slow(desk, "slow", 1.0, result=None), Answers("next")])
    desk.poll()
    desk.inquiry.cancel()
    desk.inquiry.cancel()
    assert desk.revisers[0].answer.future.cancelled()
    desk.clock.sleep_until(9.0)
    assert desk.poll() is None
    assert desk.revisers[1].asked == 0
    assert desk.inquiry.exhausted
    assert desk.log() == [("asked", "slow")]


def test_cancelling_it_before_anybody_was_asked():
    desk = Desk(Answers("first"))
    desk.inquiry.cancel()
    assert desk.poll() is None


class Ponders:
    """A revision that is there when it has been asked for a few times."""

    def __init__(self, times, error=None):
        self.left = times
        self.error = error

    def ready(self):
        self.left -= 1
        return self.left < 0

    def result(self):
        if self.error is not None:
            raise self.error
        return revision("slow")

    def cancel(self):
        pass


def test_who_thinks_a_little_in_each_tick_is_waited_for():
    desk = Desk(Answers("slow", Ponders(2)), Answers("next"))
    assert desk.poll() is None
    assert desk.poll() is None
    assert desk.poll().by == "slow"


def test_who_has_thought_in_vain_is_followed_by_the_next():
    desk = Desk(Answers("slow", Ponders(1, NoRevisionError("none"))), Answers("next"))
    assert desk.poll() is None
    assert desk.poll().by == "next"
    assert desk.inquiry.refusals == [("slow", "none")]
