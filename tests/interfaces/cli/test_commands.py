"""The commands for people: status, show, tail, owed, verify, export, doctor and the upkeep of a store."""

import json
import os
import stat
from pathlib import Path

import apsw
import pytest

from tallystick import Actor, Journal
from tallystick.interfaces import cli
from tallystick.operations import CATALOGUE
from tallystick.operations.runtime.operation_context import Principal
from tallystick.sdk.local import Local
from tallystick.store.memory import system_clock
from tallystick.store.sqlite import inspect
from tests.interfaces.cli.conftest import Shell
from tests.store.drafts import note
from tests.stores import open_store


def test_status_is_the_brief(shell: Shell) -> None:
    shell.output("record", "execution-start", "--title", "Move the site")
    assert shell.output("status") == shell.journal.get_brief().text + "\n"
    assert len(shell.output("status", "--tokens", "100")) <= 401


def test_show_prints_every_section_of_an_execution(shell: Shell) -> None:
    _, execution, action = shell.work()
    why = "the cheaper one is slower"
    shell.output("record", "decision", "continue", "--why", why, "--alternatives", "wait", "--rejected", "no time")
    shell.output("record", "action", "end", "--action-id", action, "--outcome", "failed", "--evidence", "looked")
    shown = shell.output("show", execution)
    for part in ("Move the site", "Plan against actual", "copy", "planned", "Decisions", why, "instead of: wait"):
        assert part in shown
    assert "In doubt" in shown  # the second word contradicted the first
    assert "Timeline" in shown
    shell.output("record", "decision", "unwind", "--why", "start over")
    assert "undo: delete the copy" in shell.output("show", execution)
    result = shell.json("show")
    assert set(result) == {"status", "owed", "in_doubt", "decisions", "entries"}
    assert result["status"]["execution"]["id"] == execution


def test_show_finds_other_things_by_their_handle(shell: Shell) -> None:
    plan, _, action = shell.work()
    approval = shell.json("request", "approval", "--question", "Pay now?")["id"]
    assert "Move the site" in shell.output("show", plan)
    assert "Pay now?" in shell.output("show", approval)
    assert "action_ended" in shell.output("show", action)


def test_tail_shows_the_newest_lines_and_takes_the_filters_of_reading(shell: Shell) -> None:
    shell.work()
    lines = shell.output("tail", "-n", "2").splitlines()
    assert [line.split()[3] for line in lines] == ["action_begun", "action_ended"]
    assert [
        json.loads(line)["kind"] for line in shell.output("tail", "--kind", "plan_recorded", "--json").splitlines()
    ] == ["plan_recorded"]
    assert shell.output("tail", "-n", "0") == ""


def test_tail_shows_more_than_one_page(shell: Shell) -> None:
    records = [{"operation": "record_context", "arguments": {"key": "k", "value": n}} for n in range(250)]
    shell.output("record", "batch", "--records", "-", stdin=json.dumps(records))
    lines = shell.output("tail", "-n", "230").splitlines()
    assert len(lines) == 230
    assert lines == sorted(lines, key=lambda line: int(line.split()[0]))


def test_a_search_is_shown_but_cannot_be_followed(shell: Shell) -> None:
    shell.work()
    assert "copying" in shell.output("tail", "--text", "copying")
    assert shell("tail", "-f", "--text", "copying").exit_code == 2


def test_owed_is_a_checklist_in_the_order_to_undo(shell: Shell) -> None:
    shell.output("record", "execution-start", "--title", "x")
    for name in ("first", "second"):
        shell.output("record", "action", "begin", "--tool", name, "--undo", f"take back {name}")
    shell.output("record", "action", "begin", "--tool", "third", "--cancellable", "irreversible")
    assert "Nothing is owed" in shell.output("owed")
    undo_list = shell.output("undo-list")
    assert "2 not undone, 1 not possible. Nothing of it is owed." in undo_list
    shell.output("record", "decision", "stop", "--why", "no more")
    for shown in (undo_list, shell.output("owed")):
        lines = [line.strip() for line in shown.splitlines()]
        boxes = [line for line in lines if line.startswith("[")]
        assert [line.split()[0] for line in boxes] == ["[-]", "[", "["]
        assert lines.index("undo: take back second") < lines.index("undo: take back first")


def test_the_undo_list_says_how_much_of_it_is_owed(shell: Shell) -> None:
    shell.output("record", "execution-start", "--title", "x")
    shell.output("record", "action", "done", "--tool", "cp", "--undo", "delete it")
    shell.output("record", "decision", "unwind", "--why", "wrong")
    assert "1 not undone. All of it is owed." in shell.output("undo-list")
    assert isinstance(shell.journal.caller, Local)
    hook = Principal(actor=Actor(kind="hook", name="hook"), witness="observed")
    about = {"phase": "done", "tool": "rm", "execution_id": shell.json("status")["execution_id"]}
    seen = CATALOGUE["record_action"](shell.journal.caller.context.for_principal(hook), about).id
    shown = shell.output("undo-list")
    assert "1 not undone, 1 may be undo. 1 of it is owed." in shown
    assert f"if it undid something: tallystick record decision continue --action-id {seen} --undoes ..." in shown


def test_an_undo_in_doubt_is_not_offered_to_be_recorded_again(shell: Shell) -> None:
    shell.output("record", "execution-start", "--title", "x")
    first, second = (
        shell.json("record", "action", "done", "--tool", name, "--undo", "take it back")["id"]
        for name in ("first", "second")
    )
    shell.output("record", "decision", "unwind", "--why", "wrong")
    shell.output("record", "action", "done", "--kind", "undo", "--undoes", second, "--outcome", "unknown")
    for command in ("owed", "undo-list"):
        shown = shell.output(command)
        assert f"--undoes {first} " in shown
        assert f"--undoes {second} " not in shown


def test_what_is_kept_or_could_not_be_undone_says_why(shell: Shell) -> None:
    shell.output("record", "execution-start", "--title", "x")
    first, second = (
        shell.json("record", "action", "done", "--tool", name, "--undo", "take it back")["id"]
        for name in ("first", "second")
    )
    undo = shell.json("record", "action", "begin", "--kind", "undo", "--undoes", first)["id"]
    shell.output("record", "action", "end", "--action-id", undo, "--outcome", "failed", "--error", "the disk is full")
    shell.output("record", "decision", "keep", "--action-id", second, "--why", "it is wanted")
    assert "its undo failed: the disk is full" in shell.output("undo-list")
    assert "kept: it is wanted" in shell.output("undo-list", "--state", "kept")


def test_verify_reports_a_valid_chain_and_fails_on_a_broken_one(shell: Shell, tmp_path: Path) -> None:
    shell.work()
    file = tmp_path / "journal.jsonl"
    assert shell.output("export", "-o", str(file)) == f"5 entries written to {file}\n"
    assert shell.output("verify").startswith("ok: 5 entries")
    whole, quick = shell.output("verify"), shell.output("verify", "--chain")
    assert "\nnot checked: search words" in whole
    assert "\nnot checked: rows, credentials" in quick
    assert "the rows follow from it" in whole
    assert quick.startswith(shell.output("verify", "--file", str(file)))
    head = shell.json("verify")["head"]
    assert shell("verify", "--head", head).exit_code == 0
    assert shell("verify", "--head", f"s1:{'A' * 43}").exit_code == 1
    assert shell("verify", "--head", "s1:other").exit_code == 2
    file.write_text(file.read_text().replace("Move the site", "Move the cite"))
    broken = shell("verify", "--file", str(file))
    assert broken.exit_code == 1
    assert broken.stdout.startswith("problem: ")
    assert shell("verify", "--file", str(file), "--json").exit_code == 1


def test_export_writes_all_pages_whole_and_for_the_owner_alone(shell: Shell, tmp_path: Path) -> None:
    records = [{"operation": "record_context", "arguments": {"key": "k", "value": n}} for n in range(30)]
    shell.output("record", "batch", "--records", json.dumps(records))
    file = tmp_path / "out.jsonl"
    shell.output("export", "--limit", "7", "-o", str(file), "-q")
    assert file.read_text() == shell.output("export")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert shell("export", "-o", str(file)).exit_code == 2
    shell.output("export", "-o", str(file), "--force")
    assert shell("export", "-o", str(tmp_path / "no" / "folder.jsonl")).exit_code == 4
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]


def test_the_journals_of_a_store_are_listed_and_can_be_rebuilt(shell: Shell) -> None:
    shell.work()
    shell.output("--journal", "second", "record", "context", "k", "--value", "1")
    assert shell.json("journals")["journals"] == [{"name": "second", "entries": 2}, {"name": "tests", "entries": 5}]
    assert shell.output("journals", "-q") == "second\ntests\n"
    before = shell.json("get", "status")
    assert shell.json("rebuild") == {"journal": "tests", "entries": 5}
    assert shell.json("get", "status")["execution"] == before["execution"]


def test_the_rows_that_a_killed_process_left_are_written_by_rebuild_tail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tallystick.store.sql.idle_flush.IDLE_SECONDS", 3600)
    with Journal.open(f"sqlite:{tmp_path / 'journal.db'}", journal="tests", actor="ada") as journal:
        shell = Shell(journal)
        shell.work()
        assert shell.output("rebuild", "--tail") == "Wrote the rows of 5 entries in tests.\n"
        assert shell.output("rebuild", "--tail") == "No rows were missing in tests.\n"
        assert shell.json("rebuild", "--tail") == {"journal": "tests", "entries": 0}
        assert journal.verify().ok


def test_credentials_have_a_group_of_their_own(shell: Shell) -> None:
    secret = shell.output("credential", "add", "ada", "-q").strip()
    assert shell("credential", "add", "bob").exit_code == 3
    assert shell("credential", "add", "bob", env={"TALLYSTICK_CREDENTIAL": secret}).exit_code == 0
    assert shell("credential", "revoke", "bob", "--credential", secret).exit_code == 0
    assert [each["name"] for each in shell.json("credential", "list")["credentials"]] == ["ada", "bob"]
    assert "tallystick credential add ada" in shell.output("credential", "add", "--help")


def test_reading_opens_no_session_and_records_of_one_shell_share_one(shell: Shell) -> None:
    shell.output("status")
    shell.output("list", "sessions")
    assert shell.json("read", "entries")["entries"] == []
    shell.work()
    (session,) = shell.json("list", "sessions")["sessions"]
    assert session["kind"] == "handle"
    assert session["name"].startswith("cli:")
    assert {entry["session"] for entry in shell.json("read", "entries")["entries"] if entry.get("session")} == {
        session["id"]
    }


def test_a_session_can_be_named_or_given_by_its_handle(shell: Shell) -> None:
    shell.output("record", "execution-start", "--title", "mine", "--session", "release")
    other = shell("record", "action", "begin", "--tool", "t", "--session", "elsewhere")
    assert other.exit_code == 5
    (session,) = [each for each in shell.json("list", "sessions")["sessions"] if each["name"] == "release"]
    by_handle = shell("record", "action", "begin", "--tool", "t", env={"TALLYSTICK_SESSION": session["id"]})
    by_name = shell("record", "action", "begin", "--tool", "u", env={"TALLYSTICK_SESSION": "release"})
    assert by_handle.exit_code == by_name.exit_code == 0
    assert shell.json("--session", "release", "end", "session")["in_doubt"] == 2


def test_status_is_about_the_execution_of_this_shell(shell: Shell) -> None:
    mine = shell.json("record", "execution-start", "--title", "mine", "--session", "a")["id"]
    shell.output("record", "execution-start", "--title", "newer", "--session", "b")
    assert shell.json("status", "--session", "a")["execution_id"] == mine


def test_status_says_how_many_more_need_somebody_than_it_lists(shell: Shell) -> None:
    for title in "abcde":
        execution = shell.json("record", "execution-start", "--title", title)["id"]
        asked = ["ask_human", "--execution-id", execution, "--question", "May I?", "--why", "it costs"]
        shell.output("record", "decision", *asked)
    heading, *listed, rest = shell.output("status").partition("\n\n")[0].splitlines()
    assert (heading, len(listed), rest) == ("Needs you (5):", 3, "- and 2 more")


def test_status_counts_the_actions_of_one_execution_as_one_that_needs_somebody(shell: Shell) -> None:
    execution = shell.json("record", "execution-start", "--title", "a")["id"]
    for tool in "abc":
        about = ["--execution-id", execution, "--tool", tool, "--outcome", "unknown"]
        shell.output("record", "action", "done", *about)
    heading, listed = shell.output("status").partition("\n\n")[0].splitlines()
    assert heading == "Needs you (1):"
    assert "(and 2 more)" in listed


@pytest.mark.parametrize(("kind", "argv"), [("agent", []), ("person", ["--actor-kind", "person"])])
def test_without_a_terminal_the_actor_is_an_agent_by_default(tmp_path: Path, kind: str, argv: list[str]) -> None:
    env = {"TALLYSTICK_URL": f"sqlite://{tmp_path / 'j.db'}", "TALLYSTICK_ACTOR": "eve"}
    assert cli.run(["record", "context", "k", "--value", "1", *argv], env=env).exit_code == 0
    entry = json.loads(cli.run(["tail", "-n", "1", "--json"], env=env).stdout)
    assert (entry.get("actor_kind", "agent"), entry["actor"]) == (kind, "eve")


def _checks(url: str) -> tuple[int, dict[str, str]]:
    result = cli.run(["doctor", "--json", "--url", url], env={})
    assert result.stderr == ""
    structure = json.loads(result.stdout)
    assert structure["ok"] is (result.exit_code == 0)
    return result.exit_code, {check["check"]: check["state"] for check in structure["checks"]}


def test_the_doctor_finds_a_good_store_good(tmp_path: Path) -> None:
    url = f"sqlite://{tmp_path / 'j.db'}"
    with Journal.open(url, journal="one") as journal:
        journal.add_credential(name="ada")
    code, checks = _checks(url)
    assert code == 0
    assert set(checks) == {
        "sqlite",
        "rights",
        "file system",
        "disk",
        "store",
        "journals",
        "entries",
        "integrity",
        "sessions",
        "in doubt",
        "credentials",
        "erasures",
        "clock",
        "spool",
    }
    assert "fail" not in checks.values()
    assert "one (" in cli.run(["doctor", "--url", url], env={}).stdout


def test_the_doctor_names_entries_whose_clock_was_behind(tmp_path: Path) -> None:
    url = f"sqlite://{tmp_path / 'j.db'}"
    doctor = ["doctor", "--url", url, "--journal", "one"]
    store = open_store(url, clock=lambda: system_clock() + 86_400_000_000)
    store.write("one", lambda ledger: ledger.append(note()))
    store.close()
    assert "ahead of this machine's clock" in cli.run(doctor, env={}).stdout
    with Journal.open(url, journal="one") as journal:
        journal.record_execution_start(title="x")
    assert "1 entries are behind the entry before them: entry 2 by " in cli.run(doctor, env={}).stdout


def test_a_journal_without_its_row_is_named_by_doctor_and_verify_and_rebuilt(tmp_path: Path) -> None:
    url = f"sqlite://{tmp_path}/journal.db"
    for name in ("one", "two"):
        with Journal.open(url, journal=name, actor="ada") as journal:
            journal.record_context(key="k", value=1)
    with apsw.Connection(f"{tmp_path}/journal.db") as file:
        file.execute("drop trigger journals_are_not_deleted; delete from journals where name = 'two'")

    def run(command: str, journal: str) -> tuple[int, str]:
        result = cli.run([command, "--url", url, "--journal", journal], env={})
        return result.exit_code, result.stdout

    for command in ("doctor", "verify"):
        code, text = run(command, "two")
        assert (code, 'the row of the journal "two" is missing' in text, "rebuild" in text) == (1, True, True)
    code, text = run("doctor", "one")
    assert (code, "1 journals have entries and no row" in text) == (1, True)
    assert run("rebuild", "two") == (0, "Rebuilt two from 3 entries.\n")
    assert run("verify", "two")[0] == 0
    assert "have entries and no row" not in run("doctor", "one")[1]


def test_the_doctor_warns_of_readable_files_and_of_doubts(tmp_path: Path) -> None:
    file = tmp_path / "j.db"
    env = {"TALLYSTICK_URL": f"sqlite://{file}", "XDG_DATA_HOME": str(tmp_path)}
    with Journal.open(f"sqlite://{file}") as journal:
        journal.record_execution_start(title="x")
        journal.record_action(phase="begin", tool="t")
    file.chmod(0o644)
    result = cli.run(["doctor"], env=env)
    warned = [line.split()[1] for line in result.stdout.splitlines() if line.startswith("warn")]
    assert result.exit_code == 0
    assert warned == ["rights", "in", "credentials"]
    assert f"fix: chmod 600 {file}" in result.stdout


def test_the_doctor_fails_on_a_file_that_is_no_journal_and_names_the_fix(tmp_path: Path) -> None:
    file = tmp_path / "j.db"
    file.write_text("a shopping list: milk, eggs, bread, and no journal")
    code, checks = _checks(f"sqlite://{file}")
    assert (code, checks["store"]) == (1, "fail")
    code, checks = _checks(f"sqlite://{tmp_path}")
    assert (code, checks["rights"], checks["store"]) == (1, "fail", "fail")
    assert "choose another place" in cli.run(["doctor", "--url", f"sqlite://{tmp_path}"], env={}).stdout.lower()


def test_a_network_file_system_is_known_by_the_mount_above_the_file() -> None:
    mounts = (
        "/dev/sda1 / ext4 rw 0 0\nserver:/x /mnt/far\\040away nfs4 rw 0 0\ntmpfs /mnt/far\\040away/in tmpfs rw 0 0\n"
    )
    assert inspect.file_system_of(Path("/mnt/far away/journal"), mounts) == "nfs4"
    assert inspect.file_system_of(Path("/mnt/far away/in/journal"), mounts) == "tmpfs"
    assert inspect.file_system_of(Path("/mnt/far"), mounts) == "ext4"
    assert "nfs4" in inspect.NETWORK_FILE_SYSTEMS


def test_erasing_does_not_ask_without_a_terminal(shell: Shell) -> None:
    shell.work()
    secret = shell.json("credential", "add", "ada")["secret"]
    erased = shell.json("erase", "--seqs", "2", "--reason", "asked", "--force", "--credential", secret)
    assert (erased["erased"], erased["state"]) == (1, "done")
    assert os.path.basename(shell.output("tail", "-n", "1").split()[3]) == "body_erased"


def test_a_pending_erasure_names_the_fix_and_the_doctor_finishes_it(tmp_path: Path) -> None:
    import contextlib

    import apsw

    path = tmp_path / "journal.db"
    env = {"TALLYSTICK_URL": f"sqlite://{path}", "TALLYSTICK_JOURNAL": "one"}
    with Journal.open(env["TALLYSTICK_URL"], journal="one") as journal:
        secret = journal.add_credential(name="ada").secret
        seq = journal.record_context(key="k", value="Quackenbush").seq
    with contextlib.closing(apsw.Connection(str(path))) as reader:
        reader.execute("begin")
        reader.execute("select count(*) from entries").fetchall()
        erased = cli.run(["--credential", secret, "erase", "--seqs", str(seq), "--reason", "asked"], env=env)
        assert "run the same `erase` again" in erased.stderr
        assert "bytes of erased text" in cli.run(["doctor"], env=env).stdout
        reader.execute("commit")
    assert "no erased text is left" in cli.run(["doctor"], env=env).stdout
    assert not any(b"Quackenbush" in each.read_bytes() for each in tmp_path.glob("journal.db*"))


def test_a_report_without_a_handle_is_of_the_newest_open_execution_as_show_has_it(shell: Shell) -> None:
    _, execution, _ = shell.work()
    assert shell.output("report") == shell.output("report", execution)
    assert shell.json("report", "--form", "csv")["name"] == f"{execution}.csv"
