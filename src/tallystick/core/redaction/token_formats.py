"""Token formats: secrets that are recognized by their beginning and their characters, wherever they stand.

Each has an anchor (see `prefilter`). Standard library only: the hook bundle holds this module, and loads it only for a
text with an anchor.
"""

from __future__ import annotations

from tallystick.core.redaction.prefilter import long_runs
from tallystick.core.redaction.prefilter import rx as _rx
from tallystick.core.redaction.prefixed_tokens import KIND, find_prefixed_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallystick.core.redaction.prefilter import WordIndex


def _left(start: str, word: str = "A-Za-z0-9") -> str:
    r"""The start at the beginning of a word, or after `\n` (escaped twice), `%3D`, a terminal's colour code or the mark
    of a changed line."""
    coloured = rf"(?<=[\[0-9;][0-9]m{start})|(?<=\[[mKJ]{start})"
    escaped = rf"(?<=\\[bfnrt]{start})|(?<=%[0-9A-Fa-f]{{2}}{start})"
    changed = rf"|(?m:(?<=^[+-]{start}))|(?<=\\n[+-]{start})" if "-" in word else ""
    return rf"{start}(?:(?<![{word}]{start})|{escaped}|{coloured}{changed})"


_LONG, _HEX = "[A-Za-z0-9_-]{16,}", "[0-9a-f]{32,}"
# Up to the end of the block. When the end was cut off, as far as the lines look like a key, also with something before
# it on each line, as grep and code have it.
_KEY_LINE = r"[^\n]{0,128}?[A-Za-z0-9+/]{40}"
_CUT_OFF = (
    rf"[A-Za-z0-9+/=\s\\,:-]*(?:[^\n]{{0,16}}\n(?={_KEY_LINE}))?"
    rf"(?:{_KEY_LINE}[A-Za-z0-9+/]*[^\n]{{0,16}}(?:\n|\Z))*"
)
_BLOCK = rf"(?:[^-]*(?:-(?!----)[^-]*)*-{{5,8}}END [A-Z0-9 ]{{0,60}}-----|{_CUT_OFF})"
_GITLAB = "pat|rt|dt|ptt|cbt|soat|imt|agent|ft|ffct|wt|oas"
_UUID = "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
_FIVES = r"(?:-[A-Z0-9]{5}){3}(?![A-Z0-9-])"


def _marked(mark: str) -> str:
    """An Azure key: 32 or 64 bytes in base64, with a mark near the end."""
    return (
        _left("[A-Za-z0-9+/]", "A-Za-z0-9+")
        + rf"[A-Za-z0-9+/]{{32,75}}{mark.replace('+', '[+]')}[A-Za-z0-9+/]{{5,6}}={{1,2}}"
    )


_STRIPE = ("sk_live", "sk_test", "sk_prod", "rk_live", "rk_test", "rk_prod")
_UNDERSCORED = (
    *(("github_token", f"gh{c}_", f"gh{c}_[A-Za-z0-9]{{20,}}") for c in "pousr"),
    *(("stripe_key", f"{k}_", f"{k}_[A-Za-z0-9]{{16,}}") for k in _STRIPE),
    ("npm_token", "npm_", _left("npm_") + "[A-Za-z0-9]{30,}"),
    ("huggingface_token", "hf_", _left("hf_") + "[A-Za-z0-9]{30,}"),
    ("huggingface_token", "api_org_", _left("api_org_") + "[A-Za-z0-9]{30,}"),
    ("digitalocean_token", "_v1_", f"do[opr]_v1_{_HEX}"),
    ("shopify_token", "shp", "shp(?:at|ca|pa|ss|tka)_[0-9a-fA-F]{32,}"),
    *(("linear_key", f"lin_{each}_", f"lin_{each}_[A-Za-z0-9]{{30,}}") for each in ("api", "oauth")),
    ("notion_token", "ntn_", _left("ntn_") + "[A-Za-z0-9]{40,}"),
    ("notion_token", "secret_", _left("secret_") + "[A-Za-z0-9]{40,}"),
    ("groq_key", "gsk_", _left("gsk_") + "[A-Za-z0-9]{40,}"),
    ("replicate_token", "r8_", _left("r8_") + "[A-Za-z0-9]{30,}"),
    ("grafana_token", "glsa_", "glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}"),
    ("rubygems_key", "rubygems_", f"rubygems_{_HEX}"),
    ("supabase_token", "sbp_", _left("sbp_") + "(?:v0_)?[0-9a-f]{40}"),
    ("render_key", "rnd_", _left("rnd_") + "[A-Za-z0-9]{28,}"),
    *(("vercel_token", f"vc{c}_", _left(f"vc{c}_") + "[A-Za-z0-9]{40,}") for c in "pk"),
    ("cloudflare_key", "cf", _left("cf") + "(?:ut|at|k)_[A-Za-z0-9]{40}[0-9a-f]{8}(?![A-Za-z0-9])"),
    ("readme_key", "rdme_", _left("rdme_") + "[a-z0-9]{40,}"),
    ("buildkite_token", "bkua_", f"bkua_{_HEX}"),
    ("circleci_token", "CCIP", "CCIP(?:AT|RJ)_[A-Za-z0-9]{16,}_[0-9a-f]{40}"),
    ("langsmith_key", "lsv2_", "lsv2_(?:pt|sk)_[0-9A-Fa-f]{32}_[0-9A-Fa-f]{10}"),
    ("netlify_token", "nfp_", _left("nfp_") + "[A-Za-z0-9]{32,}"),
    ("posthog_key", "phx_", _left("phx_") + "[A-Za-z0-9]{32,}"),
    ("resend_key", "re_", _left("re_", r"\w") + "[A-Za-z0-9]{8}_[A-Za-z0-9]{24}(?![A-Za-z0-9_])"),
    *(("prefect_key", f"pn{c}_", _left(f"pn{c}_") + "[A-Za-z0-9]{36}") for c in "ub"),
    ("shippo_token", "shippo_", "shippo_(?:live|test)_[0-9a-f]{40}"),
    ("sourcegraph_token", "sgp_", _left("sgp_") + "(?:(?:[0-9A-Fa-f]{16}|local)_)?[0-9A-Fa-f]{40}"),
    ("fireworks_key", "fw_", _left("fw_", r"\w") + r"(?=\w{0,23}\d)[A-Za-z0-9]{24}(?!\w)"),
    ("neon_key", "napi_", _left("napi_") + "[a-z0-9]{50,}"),
    ("e2b_key", "e2b_", _left("e2b_") + "[0-9a-f]{40}"),
    ("elevenlabs_key", "sk_", _left("sk_", r"\w") + "[0-9a-f]{48}(?![A-Za-z0-9])"),
    ("clojars_token", "CLOJARS_", "CLOJARS_[a-z0-9]{60}"),
    *(("sonar_token", f"sq{c}_", _left(f"sq{c}_", r"\w") + "[0-9a-f]{40}(?![A-Za-z0-9])") for c in "pua"),
    ("apify_token", "apify_api_", "apify_api_[A-Za-z0-9]{32,}"),
    ("jina_key", "jina_", _left("jina_", r"\w") + "[0-9a-f]{32}[A-Za-z0-9_-]{20,}"),
    ("rootly_token", "rootly_", f"rootly_{_HEX}"),
)
_OTHERS = (
    ("private_key", "PRIVATE KEY", r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,8}-----" + _BLOCK),
    (
        "private_key",
        "Private-Lines: ",
        r"(?<=Private-Lines: )\d{1,3}(?:\r?\n|\\[rn])(?:[A-Za-z0-9+/]{40,64}(?:\r?\n|\\[rn]){1,2})+"
        r"(?:[A-Za-z0-9+/]{1,64}={0,2}(?![A-Za-z0-9+/=-]))?",
    ),
    ("github_token", "github_pat_", "github_pat_[A-Za-z0-9_]{20,}"),
    (
        "gitlab_token",
        "gl",
        _left("gl") + rf"(?:{_GITLAB})-(?:[0-9a-f]{{1,4}}_)?[A-Za-z0-9_-]{{20,}}(?:\.[a-z0-9]{{2,12}})*",
    ),
    ("gitlab_token", "GR1348941", f"GR1348941{_LONG}"),
    ("grafana_token", "glc_", _left("glc_") + "[A-Za-z0-9+/_-]{32,}={0,2}"),
    ("supabase_token", "sb_secret_", f"sb_secret_{_LONG}"),
    ("slack_token", "x", r"x(?:app|ox[a-z](?:\.xox[a-z])?)-[A-Za-z0-9-]{10,}"),
    ("slack_webhook", "hooks.slack.com", r"(?<=hooks\.slack\.com/)(?:services|workflows|triggers)/[\w/+-]{20,}"),
    ("zapier_webhook", "hooks.zapier.com", r"(?<=hooks\.zapier\.com/hooks/)catch/[\w/]{8,}"),
    ("discord_webhook", "/webhooks/", r"(?<=/webhooks/)\d{15,20}/[A-Za-z0-9_-]{30,}"),
    *(("discord_token", c, _left(c, r"\w-") + r"[DTjz][AEIMQUYcgk][\w-]{17,23}\.[\w-]{6}\.[\w-]{27,}") for c in "MNO"),
    ("telegram_token", ":AA", r"(?<!\d)\d{6,12}:AA[A-Za-z0-9_-]{30,}"),
    ("webhook_secret", "whsec_", "whsec_[A-Za-z0-9+/]{16,}={0,2}"),
    ("anthropic_key", "sk-ant-", f"sk-ant-{_LONG}"),
    ("openai_key", "sk-", _left("sk-") + f"(?:[A-Za-z0-9]{{20,}}[\\w-]*|(?:proj|svcacct|admin|or-v1)-{_LONG})"),
    ("google_key", "AIza", "AIza[A-Za-z0-9_-]{30,}"),
    ("google_token", "ya29.", _left(r"ya29\.") + _LONG),
    ("google_token", "1//0", _left("1//0", r"\w.:") + "[A-Za-z0-9_-]{40,}"),
    ("heroku_key", "HRKU-", f"HRKU-{_LONG}"),
    ("aws_key", "IA", _left("A[BKS]IA") + "[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("aws_key", "ABSK", _left("ABSK", r"\w+-") + "[A-Za-z0-9+/]{100,}={0,2}"),
    ("azure_key", "AccountKey=", "(?<=AccountKey=)[A-Za-z0-9+/=]{20,}"),
    ("azure_key", "JQQJ9", _left("[A-Za-z0-9]{52}") + "JQQJ9[A-Za-z0-9]{25,31}(?![A-Za-z0-9])"),
    *(("azure_key", mark, _marked(mark)) for mark in ("AIoT", "APIM", "ACDb", "+ASb", "+AEh", "+ARm", "+ABa", "+ASt")),
    ("azure_key", "Q~", _left("[A-Za-z0-9_~.]{3}", r"\w~.-") + r"\dQ~[A-Za-z0-9_~.-]{31,34}(?![\w~])"),
    ("pypi_token", "pypi-AgE", f"pypi-AgE{_LONG}"),
    ("sendgrid_key", "SG.", _left(r"SG\.") + r"[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,}"),
    ("twilio_key", "SK", _left("SK") + "[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("vault_token", "s.", _left(r"s\.", r"\w.") + r"(?=[A-Za-z]{0,23}\d)[A-Za-z0-9]{24}(?![\w(-]|\.\w)"),
    ("vault_token", "hv", r"hv[sbr]\.[A-Za-z0-9_-]{20,}"),
    ("databricks_token", "dapi", _left("dapi") + r"[0-9a-h]{32,}(?:-\d)?"),
    ("jenkins_secret", "{AQAAABAAAA", r"\{AQAAABAAAA[A-Za-z0-9+/]{20,}={0,2}\}"),
    ("duffel_token", "duffel_", "duffel_(?:test|live)_[A-Za-z0-9_-]{32,}={0,2}"),
    ("together_key", "tgp_v1_", f"tgp_v1_{_LONG}"),
    ("wandb_key", "wandb_v1_", f"wandb_v1_{_LONG}"),
    ("adobe_secret", "p8e-", _left("p8e-", r"\w-") + "[A-Za-z0-9_-]{32}(?![A-Za-z0-9])"),
    ("infracost_key", "ico-", _left("ico-", r"\w-") + "[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    ("nvidia_key", "nvapi-", f"nvapi-{_LONG}"),
    ("cerebras_key", "csk-", _left("csk-", r"\w-") + "[a-z0-9]{40,}"),
    ("langfuse_key", "sk-lf-", f"sk-lf-{_UUID}"),
    ("hubspot_token", "pat-", _left("pat-", r"\w-") + rf"[a-z]{{2}}\d-{_UUID}"),
    ("frameio_token", "fio-u-", f"fio-u-{_LONG}"),
    ("flutterwave_key", "FLWSECK", "FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,}(?:-X)?"),
    ("openshift_token", "sha256~", r"sha256~[A-Za-z0-9_-]{43}"),
    ("yandex_key", "AQVN", _left("AQVN", r"\w+-") + "[A-Za-z0-9_-]{35,38}(?![A-Za-z0-9_-])"),
    ("snyk_token", "snyk_", r"snyk_(?:uat|sat)\.[0-9a-f]{8}\.[A-Za-z0-9._-]{24,}"),
    ("age_key", "AGE-SECRET-KEY-1", "AGE-SECRET-KEY-1[0-9A-Z]{50,}"),
    ("xai_key", "xai-", _left("xai-") + "[A-Za-z0-9_-]{60,}"),
    ("perplexity_key", "pplx-", _left("pplx-") + "[A-Za-z0-9]{40,}"),
    ("google_secret", "GOCSPX-", f"GOCSPX-{_LONG}"),
    ("docker_token", "dckr_", f"dckr_(?:pat|oat)_{_LONG}"),
    ("tailscale_key", "tskey-", f"tskey-[a-z]{{2,10}}-{_LONG}"),
    ("sentry_token", "sntry", "sntry[su]_[A-Za-z0-9+/_-]{40,}(?:={1,2}[A-Za-z0-9+/_-]{0,80})?={0,2}"),
    ("figma_token", "figd_", _left("figd_") + "[A-Za-z0-9_-]{40,}"),
    ("pulumi_token", "pul-", _left("pul-") + "[0-9a-f]{40}"),
    ("terraform_token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,}"),
    ("atlassian_token", "TT3xFfG", "AT[AC]TT3xFfG[A-Z]0[A-Za-z0-9_=-]{40,}"),
    ("atlassian_token", "ATBB", _left("ATBB") + r"(?=[A-Za-z]{0,31}\d)[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    ("newrelic_key", "NRAL", _left("[0-9a-f]{36}") + "NRAL(?![A-Za-z0-9])"),
    ("onepassword_token", "ops_eyJ", "ops_eyJ[A-Za-z0-9+/_-]{40,}={0,2}"),
    (
        "onepassword_token",
        "A3-",
        _left("A3-") + f"[A-Z0-9]{{6}}-(?:[A-Z0-9]{{6}}-[A-Z0-9]{{5}}|[A-Z0-9]{{11}}){_FIVES}",
    ),
    *(("fly_token", f"fm1{c}_", _left(f"fm1{c}_") + "[A-Za-z0-9+/_-]{40,}={0,2}") for c in "ar"),
    ("fly_token", "fo1_", _left("fo1_") + "[A-Za-z0-9_-]{40,}"),
    ("fly_token", "fm2_", _left("fm2_") + "[A-Za-z0-9+/_-]{40,}={0,2}(?:,fm2_[A-Za-z0-9+/_-]{40,}={0,2}){0,8}"),
    ("airtable_token", ".", _left("pat") + r"[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    ("teams_webhook", "/webhookb2/", r"(?<=/webhookb2/)[\w@-]{36,80}/IncomingWebhook/[\w/-]{20,}"),
    ("square_token", "EAAA", _left("EAAA", r"\w+-") + r"[A-Za-z0-9_-]{56,}(?![\w+=-])"),
    ("facebook_token", "EAA", _left("EAA", r"\w+-") + r"[A-Za-z0-9]{80,}(?![\w+=-])"),
    ("mailgun_key", "key-", _left("key-", r"\w-") + "[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("mailchimp_key", "-us", _left("[0-9a-f]{32}") + r"-us\d{1,2}(?!\w)"),
    ("brevo_key", "sib-", "(?:xkey|xsmtp)sib-[0-9a-f]{32,}-[A-Za-z0-9]{10,}"),
    ("postman_key", "PMAK-", "PMAK-[0-9A-Fa-f]{24}-[0-9A-Fa-f]{34}"),
    ("planetscale_token", "pscale_", f"pscale_(?:tkn|pw|oauth)_{_LONG}"),
    ("dropbox_token", "sl.", _left(r"sl\.") + "(?:u\\.)?[A-Za-z0-9_-]{76,}"),
    ("doppler_token", "dp.", _left(r"dp\.") + r"(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,}"),
    ("dynatrace_token", "dt0", _left("dt0") + r"[a-z]\d\d\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}"),
    ("artifactory_key", "AKCp", _left("AKCp") + "[A-Za-z0-9_-]{60,}"),
    ("artifactory_key", "cmVmdGtu", _left("cmVmdGtu") + "[A-Za-z0-9]{56}(?![A-Za-z0-9])"),
    ("contentful_token", "CFPAT-", f"CFPAT-{_LONG}"),
    ("pinecone_key", "pcsk_", _left("pcsk_") + "[A-Za-z0-9_]{40,}"),
    ("typeform_token", "tfp_", _left("tfp_") + r"[A-Za-z0-9_-]{20}[A-Za-z0-9_.-]{20,}"),
    ("easypost_key", "EZ", _left("EZ[AT]K") + "[A-Za-z0-9]{54}"),
    ("alibaba_key", "LTAI", _left("LTAI") + "[A-Za-z0-9]{12,24}(?![A-Za-z0-9])"),
    ("tavily_key", "tvly-", "tvly-(?:dev-|prod-)?[A-Za-z0-9_-]{20,}"),
    ("firecrawl_key", "fc-", _left("fc-", r"\w-") + "[0-9a-f]{32}(?![A-Za-z0-9])"),
    *(("launchdarkly_key", f"{each}-", _left(f"{each}-", r"\w-") + _UUID) for each in ("sdk", "api", "mob")),
    ("crates_token", "cio", _left("cio", r"\w") + r"(?=\w{0,31}\d)[A-Za-z0-9]{32}(?!\w)"),
    ("cloudflare_key", "v1.0-", r"v1\.0-[0-9a-f]{24}-[0-9a-f]{146}"),
    ("plaid_token", "access-", f"access-(?:production|sandbox|development)-{_UUID}"),
    ("42_secret", "s-s4t2", _left("s-s4t2", r"\w-") + "(?:ud|af)-[0-9a-f]{64}"),
    ("akamai_token", "akab-", _left("akab-", r"\w-") + "[a-z0-9]{16}-[a-z0-9]{16}(?![a-z0-9])"),
    ("astra_token", "AstraCS:", f"AstraCS:{_LONG}(?::[0-9a-f]{{16,}})?"),
    ("atlassian_token", "ATAT", _left("ATAT") + r"(?=[A-Za-z]{0,40}\d)[A-Za-z0-9_=-]{60,}"),
    ("aws_key", "da2-", _left("da2-", r"\w-") + "[a-z0-9]{26}(?![a-z0-9])"),
    ("aws_key", "amzn.mws.", r"amzn\.mws\.[0-9a-z]{8}-(?:[0-9a-z]{4}-){3}[0-9a-z]{12}"),
    (
        "authress_key",
        ".acc",
        r"(?<![A-Za-z0-9])(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}\.[A-Za-z0-9+/_-]{30,120}={0,2}",
    ),
    ("brave_key", "BSA", _left("BSA", r"\w-") + r"(?=[A-Za-z_-]{0,30}\d)[A-Za-z0-9_-]{20,40}(?![\w-])"),
    ("braintree_token", "access_token$", r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-z]{32}"),
    ("clickhouse_key", "4b1d", _left("4b1d", r"\w-") + "[A-Za-z0-9]{38}(?![A-Za-z0-9])"),
    ("cockroach_key", "CCDB1_", "CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}"),
    ("databento_key", "db-", _left("db-", r"\w-") + r"[A-Za-z0-9]{29}(?![\w-])"),
    ("dropbox_token", "AAAAAAAAAA", _left("[a-z0-9]{11}") + "AAAAAAAAAA[a-z0-9_=-]{43}"),
    (
        "ebay_secret",
        "-",
        _left("(?:PRD|SBX)-", r"\w-") + "[0-9a-f]{8,12}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4,12}",
    ),
    ("exoscale_key", "EXO", _left("EXO", r"\w-") + r"(?=[A-Za-z]{0,20}\d)[A-Za-z0-9]{23,30}(?![A-Za-z0-9])"),
    ("fly_token", "FlyV1 ", "(?<=FlyV1 )[A-Za-z0-9+/_-]{40,}={0,2}"),
    ("fullstory_key", "1.", _left(r"(?:na|eu)1\.") + r"(?=[A-Za-z+/]{0,16}\d)[A-Za-z0-9+/]{20,}={0,2}"),
    ("gcnotify_key", "gcntfy-", rf"gcntfy-[\w-]{{1,80}}?-{_UUID}-{_UUID}"),
    ("github_token", "ghs_", r"ghs_\d{1,20}_eyJ[\w-]{8,}\.[\w.-]{16,}"),
    ("gitlab_cookie", "_gitlab_session=", "(?<=_gitlab_session=)[0-9a-z]{32}"),
    ("google_key", "AQ.", _left(r"AQ\.") + "Ab8RN6[A-Za-z0-9_-]{30,}"),
    ("grafana_token", "eyJrIjoi", "eyJrIjoi[A-Za-z0-9]{4}[A-Za-z0-9+/]{36,}={0,2}"),
    ("harness_token", "at.", _left(r"[ps]at\.", r"\w.") + r"[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}"),
    ("instagram_token", "IGQ", _left("IGQ", r"\w-") + r"(?=[A-Za-z_-]{0,40}\d)[A-Za-z0-9_-]{60,}"),
    ("lichess_token", "lip_", _left("lip_", r"\w") + "[A-Za-z0-9_]{20,}"),
    ("mailersend_token", "mlsn.", _left(r"mlsn\.") + "[A-Za-z0-9]{30,}"),
    ("maxmind_key", "_mmk", _left("[A-Za-z0-9]{6}", r"\w") + "_[A-Za-z0-9]{29}_mmk"),
    ("midtrans_key", "Mid-server-", f"(?:SB-)?Mid-server-{_LONG}"),
    ("miro_token", "eyJtaXJv", "eyJtaXJv[A-Za-z0-9_-]{40,}"),
    ("newrelic_key", "NR", _left("NR[A-Z]{2}-", r"\w-") + r"(?=[A-Za-z_-]{0,20}\d)[A-Za-z0-9_-]{19,48}"),
    ("ntlm_token", "TlRMTVNTUAA", "TlRMTVNTUAA[A-Za-z0-9+/]{20,}={0,2}"),
    ("nuget_key", "oy2", _left("oy2", r"\w-") + "[a-z0-9]{43}(?![a-z0-9])"),
    ("onfido_token", "api_", r"api_(?:live|sandbox)(?:_[a-z]{2})?\.[A-Za-z0-9_-]{20,}"),
    *(
        ("paseto_token", f".{use}.", _left(rf"v[1-4]\.{use}\.") + r"[A-Za-z0-9_-]{20,}(?:\.[A-Za-z0-9_-]+)?")
        for use in ("local", "public")
    ),
    *(
        ("paseto_token", f".{use}", _left(rf"k[1-4]\.{use}") + r"(?:-pw|-wrap\.pie)?\.[A-Za-z0-9_-]{20,}")
        for use in ("local", "secret")
    ),
    ("pinterest_token", "pina_", _left("pina_", r"\w") + "[A-Za-z0-9_-]{20,}"),
    ("postman_key", "PMAT-", "PMAT-[A-Za-z0-9]{26}"),
    ("riot_key", "RGAPI-", "RGAPI-[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}"),
    ("square_token", "sq0", _left("sq0") + f"[a-z]{{3}}-{_LONG}"),
    ("stackhawk_key", "hawk.", _left(r"hawk\.") + r"[A-Za-z0-9_-]{20}\.[A-Za-z0-9_-]{20}"),
    ("telnyx_key", "KEY", _left("KEY", r"\w-") + r"(?=[A-Za-z_]{0,30}\d)[A-Za-z0-9_-]{50,60}(?![\w-])"),
    ("thunderstore_token", "tss_", _left("tss_", r"\w") + "[A-Za-z0-9_-]{20,}"),
    ("upcloud_token", "ucat_", _left("ucat_", r"\w") + "[A-Za-z0-9]{20,}"),
    ("valtown_token", "vtwn_", _left("vtwn_", r"\w") + "[A-Za-z0-9_-]{20,}"),
    ("wakatime_key", "waka_", _left("waka_", r"\w") + _UUID),
    ("woocommerce_key", "_", _left("c[ks]_", r"\w") + "[0-9a-f]{40}(?![A-Za-z0-9])"),
    ("wundergraph_key", "cosmo_", _left("cosmo_", r"\w") + "[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("workato_token", "wrka", _left("wrka", r"\w") + r"[a-z]{0,8}-eyJ[\w-]{8,}\.[\w.-]{16,}"),
    ("yandex_token", "t1.", _left(r"t1\.", r"\w.") + r"[A-Za-z0-9_-]{16,}={0,2}\.[A-Za-z0-9_-]{60,}={0,2}"),
    ("zoho_token", "100", _left(r"100[0-9]\.", r"\w.") + r"[0-9a-f]{32}(?:\.[0-9a-f]{32}|[0-9a-f]{8,32})"),
    ("tallystick_secret", "ts_", _left("ts_") + "[A-Za-z0-9_-]{40,}"),
    ("jwt", "eyJ", _left("eyJ", r"\w-") + r"[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3}"),
)
_DASHED = (("mailgun_key", "-", _left("[0-9a-f]{32}", r"\w-") + r"-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])"),)
TOKEN_FORMATS = (*_UNDERSCORED, *_DASHED, *_OTHERS)
"""A kind; a piece that is searched for first, so that most patterns are never compiled; the pattern."""
UNDERSCORE_RUN = "_[A-Za-z0-9]{16}"
"""Part of every format that begins with a word and an underscore: searching for each word would take longer."""
DASHED_RUN = "-[0-9a-f]{8}-[0-9a-f]{8}"
"""The same for formats without a beginning of their own."""


def candidate_formats(text: str, pieces: str | WordIndex) -> list[tuple[str, str, str]]:
    """The formats that may be in a text."""
    rows = (
        *(_UNDERSCORED if _rx(UNDERSCORE_RUN).search(text) else ()),
        *(_DASHED if _rx(DASHED_RUN).search(text) else ()),
        *_OTHERS,
    )
    return [row for row in rows if row[1] in pieces]


def prefixed_tokens(text: str) -> Iterator[tuple[int, int, str]]:
    """The spans of tokens that only their prefix and their random tail show."""
    for at, end in long_runs(text):
        for start, stop in find_prefixed_tokens(_rx, text, at, end):
            yield start, stop, KIND
