"""A step that needs a person: asked durably, answered once with a credential, good for one exact call."""

from pathlib import Path
from tempfile import TemporaryDirectory

from tallystick import Actor, ApprovalPending, Journal, NotPermitted, Step, TallystickError

CALL = {"amount": 40, "to": "the baker"}


def main(folder: Path) -> None:
    url = f"sqlite:///{folder}/journal.db"
    with Journal.open(url, actor=Actor("person", "ada")) as person:
        # Any writer of the journal can create the first credential. Its secret is shown only once.
        secret = person.add_credential(name="ada").secret

    with Journal.open(url, actor="agent") as agent:
        plan = agent.record_plan(
            title="Pay the baker",
            steps=[Step(id="pay", title="Pay", tool="pay", cancellable="irreversible", needs_approval=True)],
        )
        execution = agent.record_execution_start(plan_id=plan.id)
        try:
            agent.record_action(phase="begin", step="pay", tool="pay", arguments=CALL)
        except ApprovalPending as refusal:
            print("refused:", refusal)

        asked = agent.request_approval(question="Pay 40 to the baker?", step="pay", tool="pay", arguments=CALL)
        try:
            agent.decide_approval(approval_id=asked.id, verdict="approve")
        except NotPermitted as refusal:
            print("refused:", refusal)

        with Journal.open(url, actor=Actor("person", "ada"), credential=secret) as person:
            person.decide_approval(approval_id=asked.id, verdict="approve", reason="it is what we agreed")

        try:  # the answer is bound to the exact arguments
            agent.record_action(
                phase="begin", step="pay", tool="pay", arguments={**CALL, "amount": 4000}, approval_id=asked.id
            )
        except TallystickError as refusal:
            print("refused:", refusal)

        with agent.step("pay", "pay the baker", tool="pay", arguments=CALL, approval_id=asked.id):
            print("paid, as approved by", agent.get_approval(approval_id=asked.id).decided_by)
        agent.record_decision(execution_id=execution.id, decision="done")
        assert agent.get_approval(approval_id=asked.id).status == "used"


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        main(Path(folder))
