"""Shapes: what is a secret wherever it stands, by how it begins and what it is made of.

Each has an anchor (see `anchors`). Standard library only: a hook takes this file along, and loads it for a text that
holds an anchor.
"""

from __future__ import annotations

from tallystick.core.patterns import rx as _rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tallystick.core.gates import Pieces


def _left(start: str, word: str = "A-Za-z0-9") -> str:
    r"""The start where a word begins; after `\n` (escaped twice), `%3D` and a terminal's colours one does."""
    coloured = rf"(?<=[\[0-9;][0-9]m{start})|(?<=\[[mKJ]{start})"
    return rf"{start}(?:(?<![{word}]{start})|(?<=\\[bfnrt]{start})|(?<=%[0-9A-Fa-f]{{2}}{start})|{coloured})"


_LONG, _HEX = "[A-Za-z0-9_-]{16,}", "[0-9a-f]{32,}"
# To the end of the block; when that was cut off, as far as it looks like one.
_BLOCK = r"(?:[^-]*(?:-(?!----)[^-]*)*-----END [A-Z0-9 ]{0,60}-----|[A-Za-z0-9+/=\s\\,:-]*)"
_GITLAB = "pat|rt|dt|ptt|cbt|soat|imt|agent|ft|ffct|wt|oas"
_UUID = "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
_UNDERSCORED = (
    *(("github_token", f"gh{c}_", f"gh{c}_[A-Za-z0-9]{{20,}}") for c in "pousr"),
    *(("stripe_key", f"{k}_", f"{k}_[A-Za-z0-9]{{16,}}") for k in ("sk_live", "sk_test", "rk_live", "rk_test")),
    ("npm_token", "npm_", _left("npm_") + "[A-Za-z0-9]{30,}"),
    ("huggingface_token", "hf_", _left("hf_") + "[A-Za-z0-9]{30,}"),
    ("digitalocean_token", "_v1_", f"do[opr]_v1_{_HEX}"),
    ("shopify_token", "shp", "shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32,}"),
    ("linear_key", "lin_api_", "lin_api_[A-Za-z0-9]{30,}"),
    ("notion_token", "ntn_", _left("ntn_") + "[A-Za-z0-9]{40,}"),
    ("notion_token", "secret_", _left("secret_") + "[A-Za-z0-9]{40,}"),
    ("groq_key", "gsk_", _left("gsk_") + "[A-Za-z0-9]{40,}"),
    ("replicate_token", "r8_", _left("r8_") + "[A-Za-z0-9]{30,}"),
    ("grafana_token", "glsa_", "glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}"),
    ("rubygems_key", "rubygems_", f"rubygems_{_HEX}"),
    ("supabase_token", "sbp_", _left("sbp_") + "[0-9a-f]{40}"),
    ("render_key", "rnd_", _left("rnd_") + "[A-Za-z0-9]{28,}"),
    ("vercel_token", "vcp_", _left("vcp_") + "[A-Za-z0-9]{40,}"),
    ("readme_key", "rdme_", _left("rdme_") + "[a-z0-9]{40,}"),
    ("buildkite_token", "bkua_", f"bkua_{_HEX}"),
    ("circleci_token", "CCIPAT_", "CCIPAT_[A-Za-z0-9]{16,}_[0-9a-f]{40}"),
    ("langsmith_key", "lsv2_", f"lsv2_(?:pt|sk)_{_HEX}_[0-9a-f]{{10}}"),
    ("netlify_token", "nfp_", _left("nfp_") + "[A-Za-z0-9]{32,}"),
    ("posthog_key", "phx_", _left("phx_") + "[A-Za-z0-9]{32,}"),
    ("resend_key", "re_", _left("re_", r"\w") + "[A-Za-z0-9]{8}_[A-Za-z0-9]{24}(?![A-Za-z0-9_])"),
    ("prefect_key", "pnu_", _left("pnu_") + "[a-z0-9]{36}"),
    ("shippo_token", "shippo_", "shippo_(?:live|test)_[0-9a-f]{40}"),
    ("sourcegraph_token", "sgp_", _left("sgp_") + "(?:[0-9a-f]{16}_)?[0-9a-f]{40}"),
    ("fireworks_key", "fw_", _left("fw_", r"\w") + r"(?=\w{0,23}\d)[A-Za-z0-9]{24}(?!\w)"),
    ("neon_key", "napi_", _left("napi_") + "[a-z0-9]{50,}"),
    ("e2b_key", "e2b_", _left("e2b_") + "[0-9a-f]{40}"),
    ("elevenlabs_key", "sk_", _left("sk_", r"\w") + "[0-9a-f]{48}(?![A-Za-z0-9])"),
    ("clojars_token", "CLOJARS_", "CLOJARS_[a-z0-9]{60}"),
)
_OTHERS = (
    ("private_key", "PRIVATE KEY", r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,8}-----" + _BLOCK),
    ("github_token", "github_pat_", "github_pat_[A-Za-z0-9_]{20,}"),
    ("gitlab_token", "gl", _left("gl") + rf"(?:{_GITLAB})-(?:[0-9a-f]{{1,4}}_)?{_LONG}(?:\.[a-z0-9]{{2,12}})*"),
    ("slack_token", "x", r"x(?:app|ox[a-z](?:\.xox[a-z])?)-[A-Za-z0-9-]{10,}"),
    ("slack_webhook", "hooks.slack.com", r"(?<=hooks\.slack\.com/)(?:services|workflows|triggers)/[\w/+-]{20,}"),
    ("discord_webhook", "/webhooks/", r"(?<=/webhooks/)\d{15,20}/[A-Za-z0-9_-]{30,}"),
    *(("discord_token", c, _left(c, r"\w-") + r"[DTjz][AEIMQUYcgk][\w-]{17,23}\.[\w-]{6}\.[\w-]{27,}") for c in "MNO"),
    ("telegram_token", ":AA", r"(?<!\d)\d{6,12}:AA[A-Za-z0-9_-]{30,}"),
    ("webhook_secret", "whsec_", "whsec_[A-Za-z0-9+/=]{16,}"),
    ("anthropic_key", "sk-ant-", f"sk-ant-{_LONG}"),
    ("openai_key", "sk-", _left("sk-") + f"(?:[A-Za-z0-9]{{20,}}[\\w-]*|(?:proj|svcacct|admin|or-v1)-{_LONG})"),
    ("google_key", "AIza", "AIza[A-Za-z0-9_-]{30,}"),
    ("google_token", "ya29.", _left(r"ya29\.") + _LONG),
    ("heroku_key", "HRKU-", f"HRKU-{_LONG}"),
    ("aws_key", "IA", _left("A[KS]IA") + "[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("azure_key", "AccountKey=", "(?<=AccountKey=)[A-Za-z0-9+/=]{20,}"),
    ("pypi_token", "pypi-AgE", f"pypi-AgE{_LONG}"),
    ("sendgrid_key", "SG.", _left(r"SG\.") + r"[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,}"),
    ("twilio_key", "SK", _left("SK") + "[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("vault_token", "hv", r"hv[sbr]\.[A-Za-z0-9_-]{20,}"),
    ("databricks_token", "dapi", _left("dapi") + rf"{_HEX}(?:-\d)?"),
    ("age_key", "AGE-SECRET-KEY-1", "AGE-SECRET-KEY-1[0-9A-Z]{50,}"),
    ("xai_key", "xai-", _left("xai-") + "[A-Za-z0-9_-]{60,}"),
    ("perplexity_key", "pplx-", _left("pplx-") + "[A-Za-z0-9]{40,}"),
    ("google_secret", "GOCSPX-", f"GOCSPX-{_LONG}"),
    ("docker_token", "dckr_", f"dckr_(?:pat|oat)_{_LONG}"),
    ("tailscale_key", "tskey-", f"tskey-[a-z]{{2,10}}-{_LONG}"),
    ("sentry_token", "sntry", "sntry[su]_[A-Za-z0-9+/=_-]{40,}"),
    ("figma_token", "figd_", _left("figd_") + "[A-Za-z0-9_-]{40,}"),
    ("pulumi_token", "pul-", _left("pul-") + "[0-9a-f]{40}"),
    ("terraform_token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,}"),
    ("atlassian_token", "ATATT3xFfGF0", "ATATT3xFfGF0[A-Za-z0-9_=-]{40,}"),
    ("newrelic_key", "NRAK-", "NRAK-[A-Z0-9]{27}"),
    ("onepassword_token", "ops_eyJ", "ops_eyJ[A-Za-z0-9+/=_-]{40,}"),
    ("fly_token", "fm2_", _left("fm2_") + "[A-Za-z0-9+/=_-]{40,}(?:,fm2_[A-Za-z0-9+/=_-]{40,}){0,8}"),
    ("airtable_token", ".", _left("pat") + r"[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    ("teams_webhook", "/webhookb2/", r"(?<=/webhookb2/)[\w@-]{36,80}/IncomingWebhook/[\w/-]{20,}"),
    ("square_token", "sq0", _left("sq0") + f"(?:atp|csp|idp|acp)-{_LONG}"),
    ("square_token", "EAAA", _left("EAAA", r"\w+-") + r"[A-Za-z0-9_-]{56,}(?![\w+=-])"),
    ("facebook_token", "EAA", _left("EAA", r"\w+-") + r"[A-Za-z0-9]{90,}(?![\w+=-])"),
    ("mailgun_key", "key-", _left("key-", r"\w-") + "[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("mailchimp_key", "-us", _left("[0-9a-f]{32}") + r"-us\d{1,2}(?!\w)"),
    ("brevo_key", "sib-", "(?:xkey|xsmtp)sib-[0-9a-f]{32,}-[A-Za-z0-9]{10,}"),
    ("postman_key", "PMAK-", "PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    ("planetscale_token", "pscale_", f"pscale_(?:tkn|pw)_{_LONG}"),
    ("dropbox_token", "sl.", _left(r"sl\.") + "(?:u\\.)?[A-Za-z0-9_-]{100,}"),
    ("doppler_token", "dp.", _left(r"dp\.") + r"(?:pt|st|ct|sa)\.[A-Za-z0-9]{40,}"),
    ("dynatrace_token", "dt0", _left("dt0") + r"[a-z]01\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    ("artifactory_key", "AKCp", _left("AKCp") + r"\d[A-Za-z0-9]{60,}"),
    ("contentful_token", "CFPAT-", f"CFPAT-{_LONG}"),
    ("pinecone_key", "pcsk_", _left("pcsk_") + "[A-Za-z0-9_]{40,}"),
    ("typeform_token", "tfp_", _left("tfp_") + "[A-Za-z0-9_-]{40,}"),
    ("easypost_key", "EZ", _left("EZ[AT]K") + "[A-Za-z0-9]{54}"),
    ("alibaba_key", "LTAI", _left("LTAI") + "[A-Za-z0-9]{12,24}(?![A-Za-z0-9])"),
    ("tavily_key", "tvly-", f"tvly-(?:dev-|prod-)?{_LONG}"),
    ("firecrawl_key", "fc-", _left("fc-", r"\w-") + "[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("launchdarkly_key", "sdk-", _left("sdk-", r"\w-") + _UUID),
    ("crates_token", "cio", _left("cio", r"\w") + r"(?=\w{0,31}\d)[A-Za-z0-9]{32}(?!\w)"),
    ("cloudflare_key", "v1.0-", r"v1\.0-[0-9a-f]{24}-[0-9a-f]{146}"),
    ("plaid_token", "access-", f"access-(?:production|sandbox|development)-{_UUID}"),
    ("tallystick_secret", "ts_", _left("ts_") + "[A-Za-z0-9_-]{40,}"),
    ("jwt", "eyJ", _left("eyJ", r"\w-") + r"[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3}"),
)
SHAPES = (*_UNDERSCORED, *_OTHERS)
"""A kind; a piece that is looked for first, so that most are never compiled; what is masked."""
RUN = "_[A-Za-z0-9]{16}"
"""What each of those has that begin with a word and an underscore. To look for all of these words takes longer."""


def likely(text: str, pieces: str | Pieces) -> list[tuple[str, str, str]]:
    """The shapes that may be in a text."""
    return [row for row in (SHAPES if _rx(RUN).search(text) else _OTHERS) if row[1] in pieces]
