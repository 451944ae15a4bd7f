"""The plans and small tasks of the scene."""

from typing import Any

AGENTS = (
    ("claude", "claude-code"),
    ("codex", "codex-cli"),
    ("gemini", "gemini-cli"),
    ("cursor", "cursor"),
    ("claude", "claude-desktop"),
)

CHORES = (
    ("Check the nightly backup", "OPS-4", "restore_check"),
    ("Summarise yesterday's tickets", "CARE-2", "read_tickets"),
    ("Update the price list", "SHOP-9", "fetch_prices"),
    ("Look for dead links", "SHOP-15", "crawl"),
    ("Renew expiring certificates", "SEC-3", "list_certificates"),
    ("Tidy the build cache", "OPS-11", "Bash"),
    ("Draft the weekly report", "FIN-1", "query_sales"),
)

CONTEXT: tuple[tuple[str, Any, str], ...] = (
    ("goal", "Every page answers within 300 ms at the 95th percentile", "goal"),
    ("stock.source", {"system": "warehouse", "table": "stock_v2", "lag_seconds": 90}, "finding"),
    ("payment.provider", "maintenance until tomorrow 06:00 UTC", "blocker"),
    ("review.rules", ["two approvals for money", "none for text"], "decision"),
)


def step(id: str, title: str, tool: str, undo: Any = None, **more: Any) -> dict[str, Any]:
    kind = "reversible" if undo else "irreversible"
    arguments = more.pop("arguments", {"target": id})
    fields = {"id": id, "title": title, "tool": tool, "cancellable": kind, "arguments": arguments, "estimate": 60}
    return {**fields, **({"undo": undo} if undo else {}), **more}


MOVE: dict[str, Any] = {
    "title": "Move the site to eu-2",
    "goal": "The shop answers from eu-2, and nobody notices",
    "type": "deploy",
    "task_id": "SHOP-412",
    "steps": [
        step("copy", "Copy the files", "rsync", "delete the copy"),
        step("database", "Replicate the database", "pg_replicate", {"tool": "drop_replica", "arguments": {"id": "r1"}}),
        step("check", "Compare both sites", "compare", effect="read", cancellable="reversible", undo="nothing to undo"),
        step("switch", "Switch the name", "dns_set", {"tool": "dns_set", "arguments": {"to": "eu-1"}}),
        step("drain", "Drain the old site", "drain", "let traffic in again"),
        step("retire", "Turn the old site off", "stop_site", "start it", needs_approval=False),
    ],
}
WARM = step("warm", "Warm the cache", "warm_cache", "empty it", after=("copy",))

ROTATE: dict[str, Any] = {
    "title": "Rotate the API keys",
    "type": "security",
    "steps": [
        step("mail", "A new key for the mail service", "rotate_key", "use the old key again"),
        step("staging", "A new key for staging", "rotate_key", "use the old key again"),
        step("payment", "A new key for the payment provider", "rotate_key", "use the old key again"),
        step("revoke", "Revoke the old keys", "revoke_key"),
    ],
}

UPGRADE: dict[str, Any] = {
    "title": "Upgrade PostgreSQL 16 to 17",
    "goal": "No lost write, at most a minute of read-only",
    "reasoning": "Logical replication, because a dump would take the shop down for an hour.",
    "type": "database",
    "task_id": "OPS-31",
    "steps": [
        step("snapshot", "Take a snapshot", "snapshot", {"tool": "delete", "arguments": {"id": "${result.id}"}}),
        step("replica", "Start a replica of version 17", "start_replica",
             {"tool": "drop_replica", "arguments": {"id": "${result.id}"}}, after=("snapshot",)),
        step("catch-up", "Wait for the replica to catch up", "wait_replica", "nothing to undo",
             after=("replica",), estimate=600),
        step("freeze", "Make the old primary read-only", "pg_freeze", "make it write again", after=("catch-up",)),
        step("switch", "Switch the primary", "pg_switch", "switch back", after=("freeze",), failure_policy="cancel_all",
             probe="select pg_is_in_recovery() on both"),
        step("extensions", "Update the extensions", "pg_extensions", "downgrade them", after=("switch",)),
        step("statistics", "Gather statistics", "analyze", "nothing to undo", after=("switch",)),
        step("remove", "Remove the old primary", "drop_server", after=("extensions", "statistics")),
    ],
}  # fmt: skip

REFUND: dict[str, Any] = {
    "title": "Refund double charges",
    "type": "money",
    "steps": [
        step("find", "Find the orders", "query_orders", "nothing to undo", effect="read"),
        step("refund", "Refund the customers", "refund", needs_approval=True, effect="probeable",
             probe={"tool": "list_refunds", "arguments": {"since": "today"}}),
        step("write", "Write to the customers", "send_mail"),
    ],
}  # fmt: skip

RELEASE: dict[str, Any] = {
    "title": "Release 4.2.0",
    "goal": "4.2.0 is published, announced, and can be taken back for a day",
    "type": "release",
    "task_id": "SHOP-431",
    "steps": [
        step("branch", "Cut the release branch", "git_branch", "delete the branch"),
        step("changes", "Write the list of changes", "edit", "git checkout CHANGES.md", after=("branch",)),
        step("version", "Set the version", "edit", "git checkout the file", after=("branch",)),
        step("build", "Build the packages", "build", "delete dist", after=("changes", "version")),
        step("publish", "Publish the packages", "publish", "yank them", after=("build",), undo_until="24h"),
        step("images", "Push the images", "push_images", "delete the tags", after=("build",)),
        step("staging", "Roll out to staging", "deploy", "roll back", after=("publish", "images")),
        step("smoke", "Smoke tests", "run_suite", "nothing to undo", after=("staging",), effect="read"),
        step("canary", "Roll out to 5 %", "deploy", "roll back", after=("smoke",)),
        step("watch", "Watch the errors for an hour", "watch", "nothing to undo", after=("canary",), estimate=3600),
        step("production", "Roll out to all", "deploy", "roll back", after=("watch",), needs_approval=True),
        step("announce", "Announce it", "post", after=("production",)),
    ],
}
