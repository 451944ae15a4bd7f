"""Shapes: what is a secret wherever it stands, by how it begins and what it is made of.

Each has an anchor (see `anchors`). Standard library only: a hook takes this file along, and loads it for a text that
holds an anchor.
"""

from __future__ import annotations


def _left(start: str, word: str = "A-Za-z0-9") -> str:
    r"""The start where a word begins; after `\n` (escaped twice) and `%3D` one does."""
    return rf"{start}(?:(?<![{word}]{start})|(?<=\\[bfnrt]{start})|(?<=%[0-9A-Fa-f]{{2}}{start}))"


_LONG, _HEX = "[A-Za-z0-9_-]{16,}", "[0-9a-f]{32,}"
# To the end of the block; when that was cut off, as far as it looks like one.
_BLOCK = r"(?:[^-]*(?:-(?!----)[^-]*)*-----END [A-Z0-9 ]{0,60}-----|[A-Za-z0-9+/=\s\\,:-]*)"
SHAPES = (
    ("private_key", "PRIVATE KEY", r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,8}-----" + _BLOCK),
    *(("github_token", f"gh{c}_", f"gh{c}_[A-Za-z0-9]{{20,}}") for c in "pousr"),
    ("github_token", "github_pat_", "github_pat_[A-Za-z0-9_]{20,}"),
    ("gitlab_token", "glpat-", rf"glpat-{_LONG}(?:\.[a-z0-9]{{2,12}})*"),
    ("slack_token", "x", r"x(?:app|ox[a-z](?:\.xox[a-z])?)-[A-Za-z0-9-]{10,}"),
    ("slack_webhook", "hooks.slack.com", r"(?<=hooks\.slack\.com/)(?:services|workflows|triggers)/[\w/+-]{20,}"),
    ("discord_webhook", "/webhooks/", r"(?<=/webhooks/)\d{15,20}/[A-Za-z0-9_-]{30,}"),
    ("discord_token", ".", _left("[MNO]", r"\w-") + r"[DTjz][AEIMQUYcgk][\w-]{17,23}\.[\w-]{6}\.[\w-]{27,}"),
    ("telegram_token", ":AA", r"(?<!\d)\d{6,12}:AA[A-Za-z0-9_-]{30,}"),
    *(("stripe_key", f"{k}_", f"{k}_[A-Za-z0-9]{{16,}}") for k in ("sk_live", "sk_test", "rk_live", "rk_test")),
    ("webhook_secret", "whsec_", "whsec_[A-Za-z0-9+/=]{16,}"),
    ("anthropic_key", "sk-ant-", f"sk-ant-{_LONG}"),
    ("openai_key", "sk-", _left("sk-") + f"(?:[A-Za-z0-9]{{20,}}[\\w-]*|(?:proj|svcacct|admin|or-v1)-{_LONG})"),
    ("google_key", "AIza", "AIza[A-Za-z0-9_-]{30,}"),
    ("google_token", "ya29.", _left(r"ya29\.") + _LONG),
    ("heroku_key", "HRKU-", f"HRKU-{_LONG}"),
    ("aws_key", "IA", _left("A[KS]IA") + "[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("azure_key", "AccountKey=", "(?<=AccountKey=)[A-Za-z0-9+/=]{20,}"),
    ("npm_token", "npm_", _left("npm_") + "[A-Za-z0-9]{30,}"),
    ("pypi_token", "pypi-AgE", f"pypi-AgE{_LONG}"),
    ("huggingface_token", "hf_", _left("hf_") + "[A-Za-z0-9]{30,}"),
    ("sendgrid_key", "SG.", _left(r"SG\.") + r"[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,}"),
    ("twilio_key", "SK", _left("SK") + "[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("vault_token", "hv", r"hv[sbr]\.[A-Za-z0-9_-]{20,}"),
    ("digitalocean_token", "_v1_", f"do[opr]_v1_{_HEX}"),
    ("shopify_token", "shp", "shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32,}"),
    ("databricks_token", "dapi", _left("dapi") + rf"{_HEX}(?:-\d)?"),
    ("linear_key", "lin_api_", "lin_api_[A-Za-z0-9]{30,}"),
    ("notion_token", "ntn_", _left("ntn_") + "[A-Za-z0-9]{40,}"),
    ("notion_token", "secret_", _left("secret_") + "[A-Za-z0-9]{40,}"),
    ("age_key", "AGE-SECRET-KEY-1", "AGE-SECRET-KEY-1[0-9A-Z]{50,}"),
    ("groq_key", "gsk_", _left("gsk_") + "[A-Za-z0-9]{40,}"),
    ("xai_key", "xai-", _left("xai-") + "[A-Za-z0-9_-]{60,}"),
    ("replicate_token", "r8_", _left("r8_") + "[A-Za-z0-9]{30,}"),
    ("perplexity_key", "pplx-", _left("pplx-") + "[A-Za-z0-9]{40,}"),
    ("google_secret", "GOCSPX-", f"GOCSPX-{_LONG}"),
    ("docker_token", "dckr_", f"dckr_(?:pat|oat)_{_LONG}"),
    ("tailscale_key", "tskey-", f"tskey-[a-z]{{2,10}}-{_LONG}"),
    ("grafana_token", "glsa_", "glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}"),
    ("sentry_token", "sntry", "sntry[su]_[A-Za-z0-9+/=_-]{40,}"),
    ("figma_token", "figd_", _left("figd_") + "[A-Za-z0-9_-]{40,}"),
    ("rubygems_key", "rubygems_", f"rubygems_{_HEX}"),
    ("pulumi_token", "pul-", _left("pul-") + "[0-9a-f]{40}"),
    ("terraform_token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,}"),
    ("atlassian_token", "ATATT3xFfGF0", "ATATT3xFfGF0[A-Za-z0-9_=-]{40,}"),
    ("newrelic_key", "NRAK-", "NRAK-[A-Z0-9]{27}"),
    ("onepassword_token", "ops_eyJ", "ops_eyJ[A-Za-z0-9+/=_-]{40,}"),
    ("supabase_token", "sbp_", _left("sbp_") + "[0-9a-f]{40}"),
    ("render_key", "rnd_", _left("rnd_") + "[A-Za-z0-9]{28,}"),
    ("vercel_token", "vcp_", _left("vcp_") + "[A-Za-z0-9]{40,}"),
    ("fly_token", "fm2_", _left("fm2_") + "[A-Za-z0-9+/=_-]{40,}(?:,fm2_[A-Za-z0-9+/=_-]{40,}){0,8}"),
    ("airtable_token", ".", _left("pat") + r"[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    ("teams_webhook", "/webhookb2/", r"(?<=/webhookb2/)[\w@-]{36,80}/IncomingWebhook/[\w/-]{20,}"),
    ("tallystick_secret", "ts_", _left("ts_") + "[A-Za-z0-9_-]{40,}"),
    ("jwt", "eyJ", _left("eyJ", r"\w-") + r"[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3}"),
)
"""A kind; a piece that is looked for first, so that most are never compiled; what is masked."""
