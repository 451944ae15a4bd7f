"""Command-line clients of services (containers, clouds, code hosts): which of their verbs only read."""

from collections.abc import Sequence

from msgspec import Struct

from tallystick.core.effects.options import (
    allows,
    has_no_writing_option,
    names,
    parse_arguments,
    parse_spec,
)
from tallystick.core.effects.shell import Word

Words = Sequence[Word]


class VerbTable(Struct, frozen=True):
    """The reading verbs of a client, one in a line or separated by commas, and the options before a verb.

    `denied`: options that write or open something, as letters and as names.
    """

    verbs: str
    options: str = ""
    denied: tuple[str, tuple[str, ...]] = ("", ())

    @property
    def paths(self) -> frozenset[tuple[str, ...]]:
        return frozenset(tuple(verb.split()) for verb in self.verbs.replace("\n", ",").split(",") if verb.split())


_DOCKER = VerbTable(
    """
    ps, images, version, info, inspect, logs, stats, top, port, diff, history, search, events
    image ls, image list, image inspect, image history, container ls, container list, container ps, container inspect
    container logs, container top, container stats, container port, container diff, network ls, network list
    network inspect, volume ls, volume list, volume inspect, system df, system info, context ls, context show
    context inspect, buildx ls, buildx version, manifest inspect, node ls, service ls, service ps
    service logs, service inspect, stack ls, stack ps, stack services, secret ls, config ls, plugin ls, builder du
    """,
    "--context= --log-level=",
)
_COMPOSE = VerbTable(
    "ps, logs, config, images, top, ls, version, port, stats, events, volumes",
    "-f: -p: --file= --project-name= --profile= --env-file= --project-directory= --ansi=",
    ("o", ("--output", "--lock-image-digests")),
)
_KUBECTL = VerbTable(
    """
    get, describe, logs, top, explain, api-resources, api-versions, version, cluster-info, events, diff, options
    config view, config get-contexts, config current-context, config get-clusters, config get-users
    auth can-i, auth whoami, rollout status, rollout history, wait
    """,
    "-n: -A --namespace= --context= --kubeconfig= --cluster= --user= --request-timeout= -v: --all-namespaces",
    ("", ("--profile", "--log-", "--output-directory", "--cache-dir")),
)
_HELM = VerbTable(
    """
    list, ls, status, history, version, env, lint, get all, get values, get manifest, get notes, get hooks, get metadata
    show all, show chart, show values, show readme, search repo, search hub, repo list, plugin list, dependency list
    template
    """,
    "-n: --namespace= --kube-context= --kubeconfig=",
    ("", ("--output-dir", "--post-renderer", "--dependency-update")),
)
_GH = VerbTable(
    """
    pr view, pr list, pr diff, pr checks, pr status, issue view, issue list, issue status, run view, run list
    repo view, repo list, release view, release list, workflow view, workflow list, auth status, label list, gist view
    gist list, cache list, secret list, variable list, variable get, ruleset list, ruleset view, ruleset check
    project list, project view, project item-list, project field-list, org list, ssh-key list, gpg-key list, status
    search repos, search issues, search prs, search code, search commits, extension list, alias list, config get
    config list, version
    """,
    "-R: --repo=",
    ("w", ("--web", "--clone")),
)
_SYSTEMCTL = VerbTable(
    """
    status, list-units, list-unit-files, list-timers, list-sockets, list-dependencies, list-jobs, show, cat, is-active
    is-enabled, is-failed, is-system-running, show-environment, get-default
    """,
    "-q -l -a --user --system --no-pager --full --all --failed --type= --state= -t: -n: --plain --no-legend --quiet",
)
_TERRAFORM_OPTIONS = (
    "-no-color -json -raw -input= -var= -var-file= -target= -compact-warnings -detailed-exitcode -lock="
    " -refresh= -destroy"
    " -parallelism= -check -diff -recursive -list= -id= -state= -refresh-only -replace= -lock-timeout= -help"
)
_TERRAFORM = names("plan show output validate providers version graph fmt")
_CLIENTS: dict[str, VerbTable] = {
    "docker": _DOCKER,
    "podman": _DOCKER,
    "nerdctl": _DOCKER,
    "docker-compose": _COMPOSE,
    "kubectl": _KUBECTL,
    "oc": _KUBECTL,
    "helm": _HELM,
    "gh": _GH,
    "systemctl": _SYSTEMCTL,
    "launchctl": VerbTable("list, print"),
    "supervisorctl": VerbTable("status, tail, version", "-c:"),
    "pm2": VerbTable("list, ls, status, describe, show, logs, jlist, prettylist"),
    "flyctl": VerbTable("status, logs, apps list, machine list, releases, version", "-a: --app="),
    "fly": VerbTable("status, logs, apps list, machine list, releases, version", "-a: --app="),
    "heroku": VerbTable("logs, ps, apps, releases, config:get, apps:info, pg:info", "-a: --app="),
    "vercel": VerbTable("ls, list, inspect, logs, whoami, env ls"),
    "wrangler": VerbTable("whoami, deployments list, d1 list, kv namespace list"),
    "ollama": VerbTable("list, ls, ps, show"),
    "gsutil": VerbTable("ls, cat, stat, du, version"),
    "minikube": VerbTable("status, ip, profile list, version, service list"),
    "glab": VerbTable(
        "mr view, mr list, mr diff, issue view, issue list, ci status, ci list", "-R: --repo=", ("w", ("--web",))
    ),
}
_ENTERING = {
    ("docker", "exec"): "-i -t -u: -w: --user= --workdir= --interactive --tty",
    ("podman", "exec"): "-i -t -u: -w: --user= --workdir= --interactive --tty",
    ("docker-compose", "exec"): "-T -u: -w: --user= --workdir= --no-TTY --index=",
    ("kubectl", "exec"): "-i -t -n: -c: --namespace= --container= --stdin --tty",
    ("oc", "exec"): "-i -t -n: -c: --namespace= --container= --stdin --tty",
}
"""Verbs that run a command inside a container, and their options."""


def is_client(program: str) -> bool:
    """Whether a program is one of the clients known here."""
    return program in _CLIENTS or program in ("aws", "gcloud", "az", "terraform", "tofu")


def judge_client(program: str, words: Words) -> bool:
    """Whether a client only reads with these arguments."""
    match program:
        case "aws":
            return _judge_aws(words)
        case "gcloud":
            return _judge_gcloud(words)
        case "az":
            return _judge_az(words)
        case "terraform" | "tofu":
            return _judge_terraform(words)
        case "gh" if verb_words(words)[:1] == ["api"]:
            return _judge_gh_api(words)
    if program in ("docker", "podman", "nerdctl") and words and words[0].text == "compose":
        return judge_verbs(_COMPOSE, words[1:])
    return judge_verbs(_CLIENTS[program], words)


def judge_verbs(client: VerbTable, words: Words) -> bool:
    """Whether the verb is one that reads, and none of its options writes."""
    found = parse_arguments(words, parse_spec(client.options), stop=True)
    if found is None or not found.rest:
        return False
    path = tuple(verb_words(found.rest)[:3])
    length = next((length for length in range(len(path), 0, -1) if path[:length] in client.paths), 0)
    if not length:
        return _asks_for_help(client, path, found.rest)
    return client.denied == ("", ()) or has_no_writing_option(found.rest[length:], *client.denied)


def _asks_for_help(client: VerbTable, path: tuple[str, ...], words: Words) -> bool:
    is_own = path[:1] in {each[:1] for each in client.paths}  # another word may be a plugin, which does what it likes
    return is_own and len(words) == len(path) + 1 and words[-1].text == "--help"


def inner_command(program: str, words: Words) -> Words | None:
    """The command that a client runs inside a container; None if it is not that, or not understood."""
    if program in ("docker", "podman") and words and words[0].text == "compose":
        program, words = "docker-compose", words[1:]
    client = _CLIENTS.get(program)
    found = parse_arguments(words, parse_spec(client.options), stop=True) if client else None
    if found is None or not found.rest or (program, found.rest[0].text) not in _ENTERING:
        return None
    spec = parse_spec(_ENTERING[program, found.rest[0].text])
    name = parse_arguments(found.rest[1:], spec, stop=True)
    if name is None or len(name.rest) < 2 or name.rest[0].may_be_option:
        return None
    if program not in ("kubectl", "oc"):
        return name.rest[1:]
    after = parse_arguments(name.rest[1:], spec, stop=True)  # kubectl exec POD -c NAME -- COMMAND
    return after.rest if after and any(word.text == "--" for word in name.rest) else None


def verb_words(words: Words) -> list[str]:
    """The plain words before the first option."""
    found: list[str] = []
    for word in words:
        if not word.is_plain or word.text[:1] == "-":
            break
        found.append(word.text)
    return found


# ----------------------------------------------------------------------------------------------------------------------
# Clouds

_AWS_OPTIONS = parse_spec(
    "--profile= --region= --output= --no-cli-pager --no-paginate --query= --endpoint-url= --no-sign-request --debug"
    " --no-verify-ssl --cli-read-timeout= --cli-connect-timeout= --color="
)
_AWS_SERVICES = names(
    """
    ec2 iam lambda ssm sts cloudformation cloudwatch logs ecs eks rds route53 dynamodb secretsmanager apigateway
    apigatewayv2 acm sns sqs kms autoscaling elbv2 elb cloudfront ecr events stepfunctions codebuild codepipeline glue
    athena kinesis organizations ce sesv2 s3api cloudtrail config elasticache opensearch batch servicequotas pricing
    support health wafv2 guardduty backup efs redshift emr
    """
)
_AWS_VERBS = ("describe-", "list-", "get-", "head-", "batch-get-", "filter-log-", "lookup-", "search-", "simulate-")
_AWS_EXACT = {
    ("s3", "ls"),
    ("configure", "list"),
    ("configure", "get"),
    ("configure", "list-profiles"),
    ("logs", "tail"),
}
_AWS_EXACT |= {("dynamodb", "scan"), ("dynamodb", "query"), ("s3api", "head-object"), ("s3api", "list-objects-v2")}


def _judge_aws(words: Words) -> bool:
    """`aws SERVICE VERB`. A further operand would be a file that the answer is written to, except for these verbs."""
    found = parse_arguments(words, _AWS_OPTIONS, stop=True)
    path = verb_words(found.rest) if found else []
    if not found or len(path) < 2 or any(word.splits for word in found.rest):
        return False
    if path[-1] == "help":
        return len(path) == len(found.rest) <= 3
    if (path[0], path[1]) in _AWS_EXACT:
        return True
    is_reading = path[0] in _AWS_SERVICES and path[1].startswith(_AWS_VERBS) and path[1] not in _AWS_WRITING
    return is_reading and len(path) == 2 and not _has_stray_operand(found.rest[2:])


_AWS_WRITING = names("get-object get-object-torrent get-export get-sdk get-log-object get-activity-task get-id")
"""Verbs that write a file, or take a task."""


def _has_stray_operand(words: Words) -> bool:
    """Whether there may be an operand, which is a file to write: only an option in the plural has several values."""
    option, count = "", 0
    for word in words:
        if word.text[:2] == "--":
            option, count = word.text, 1000 if "=" in word.text else 0
            continue
        count += 1
        if not option or word.may_be_option or word.text[:1] == "-" or (count > 1 and option[-1] != "s"):
            return True
    return False


_GCLOUD_GROUPS = names(
    """
    compute instances zones regions networks subnets firewall-rules disks images snapshots addresses routers
    machine-types instance-groups managed instance-templates forwarding-rules backend-services health-checks
    ssl-certificates
    url-maps container clusters node-pools run services revisions jobs executions functions projects iam
    service-accounts
    keys roles sql databases backups users storage buckets objects logging logs sinks pubsub topics subscriptions config
    configurations auth builds triggers secrets versions artifacts repositories docker packages app dns managed-zones
    record-sets organizations billing accounts scheduler tasks queues redis kms keyrings alpha beta monitoring
    dashboards policies operations components workflows endpoints redis memcache spanner bigtable dataproc dataflow
    """
)
_GCLOUD_VERBS = names("list describe get-iam-policy get-value get-ancestors list-tags list-grantable-roles")


def _judge_gcloud(words: Words) -> bool:
    """Groups, then a verb. A name that looks like a verb comes after the real one, which is no group."""
    path = verb_words(words)
    if any(word.may_be_option for word in words):
        return False
    if path in (["info"], ["version"], ["config", "list"], ["auth", "list"]):
        return True
    if path[:2] in (["logging", "read"], ["config", "get"], ["storage", "ls"], ["storage", "cat"], ["storage", "du"]):
        return True
    verb = next((word for word in path if word not in _GCLOUD_GROUPS), "")
    return verb in _GCLOUD_VERBS


def _judge_az(words: Words) -> bool:
    """`az` has no operands: the last word before the options is the verb."""
    path = verb_words(words)
    return 2 <= len(path) <= 5 and path[-1] in ("list", "show") and path[0] not in ("rest", "extension", "config")


def _judge_terraform(words: Words) -> bool:
    """Plans are made, and not saved."""
    rest = list(words)
    while rest and rest[0].is_plain and rest[0].text.startswith("-chdir="):
        rest.pop(0)
    path = verb_words(rest)
    verb = path[0] if path else ""
    if verb in ("state", "workspace"):
        is_reading = path[1:2] in ([name] for name in ("list", "show", "pull")) and path[:2] != ["workspace", "pull"]
        return is_reading and allows(rest[2:], _TERRAFORM_OPTIONS, single_dash=True)
    if verb not in _TERRAFORM or (verb == "providers" and path[1:] not in ([], ["schema"])):
        return False
    needs = "--check" if verb == "fmt" else ""
    return allows(rest[1:], _TERRAFORM_OPTIONS, needs=needs, single_dash=True)


_GH_API_OPTIONS = parse_spec(
    "-X: -H: -q: -t: -i -f: -F: --method= --header= --jq= --template= --include --paginate --slurp --cache= --hostname="
    " --silent --verbose --field= --raw-field= --preview= -p:"
)


def _judge_gh_api(words: Words) -> bool:
    """`gh api` asks with GET unless there are fields; with fields it needs `-X GET`."""
    found = parse_arguments(words, _GH_API_OPTIONS)
    if found is None or len(found.operands) != 2:
        return False
    methods = {value.text for name, value in found.values if name in ("-X", "--method")}
    has_fields = any(name in ("-f", "-F", "--field", "--raw-field") for name, _ in found.values)
    return methods <= {"GET", "HEAD"} and (bool(methods) or not has_fields) and found.operands[1].text != "graphql"
