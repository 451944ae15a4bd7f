"""The plan of the demonstration: put a release of a web site live. Every step that changes something says its undo."""

from tallystick.core.model import FailurePolicy, Step, Undo
from tallystick.demo.site import SERVER_STATE, SPRING_PAGES

TITLE = "Put the spring release live"
RELEASE = "releases/spring"
KILLED_IN = "start_server"
"""The step in which the first agent is killed."""

STEPS = (
    Step(
        id="make_release",
        title="make its folder",
        tool="make_folder",
        arguments={"path": RELEASE},
        cancellable="reversible",
        undo=Undo(tool="delete_folder", arguments={"path": "${result.path}"}),
    ),
    Step(
        id="write_pages",
        title="write the pages",
        tool="write_files",
        arguments={"folder": RELEASE, "files": SPRING_PAGES},
        cancellable="reversible",
        undo=Undo(tool="delete_files", arguments={"paths": "${result.paths}"}),
    ),
    Step(
        id=KILLED_IN,
        title="start a web server for them",
        tool="start_server",
        arguments={"folder": RELEASE, "state": SERVER_STATE},
        cancellable="reversible",
        effect="probeable",
        probe=Undo(tool="look_for_server", arguments={"state": SERVER_STATE}),
        undo=Undo(tool="stop_server", arguments={"process": "${result.server.process}", "state": "${arguments.state}"}),
    ),
    Step(
        id="go_live",
        title="point current at it",
        tool="point_link",
        arguments={"link": "current", "target": RELEASE},
        cancellable="reversible",
        undo=Undo(tool="point_link", arguments={"link": "current", "target": "${result.before}"}),
    ),
    Step(
        id="check_links",
        title="follow its links as visitors do",
        tool="check_links",
        arguments={"state": SERVER_STATE},
        cancellable="reversible",
        effect="read",
        failure_policy=FailurePolicy(action="cancel_all", reason="visitors must not meet a broken site"),
    ),
)
