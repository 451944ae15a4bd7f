"""Lines that hold no secret, and many that are about secrets: prose, code, paths, digests, logs, configuration."""

import sysconfig
from collections.abc import Iterator
from pathlib import Path

BENIGN = r"""
The password must be changed every ninety days, and the new password is never the old one.
We drew names for secret santa; the secretary keeps the list.
A token is a unit of text; the tokenizer splits words into tokens, and max_tokens caps the answer.
Authorization is decided by the gateway. Basic authentication is not supported.
Bearer tokens expire after an hour, so the client asks for a new one.
Please pass the key to the neighbours; the keyboard is on the desk.
The author signed the contract on 3 March 2024, on page 12 of 40.
Cookie: a small biscuit. Cookies are baked at 180 degrees.
Note: the secret: never give up. The key: patience.
Password: required. Token: optional.
Our policy is simple: credentials are rotated, secrets are never logged, API keys live in the vault.
Der Schlüssel liegt unter der Matte. Le mot de passe est obligatoire. パスワードは必須です。
"minipass": "^7.1.2", "fs-minipass": "^3.0.0", "minipass-pipeline": "^1.2.4",
node_modules/minipass: 7.1.2
element.setAttribute("type", "password")
params.set("password", password.value)
messages.get("password", "Please choose one")
config.set("token_type", "bearer")
key_mgmt=WPA-PSK
Invalid API key provided: please check it.
def next_token(tokens: Iterator[Token]) -> Token: return next(tokens)
token = next(tokens)
self.token = token
token: Optional[str] = None
password: str
password = getpass.getpass("Password: ")
password = os.environ["DB_PASSWORD"]
api_key = settings.api_key
api_key=os.getenv("OPENAI_API_KEY"),
client = Client(api_key=api_key, token=token, password=password)
if token == "(" or token.type == TokenType.NAME:
if not password: raise ValueError("password must not be empty")
assert response.status_code == 401, "the token was accepted"
max_tokens=4096, temperature=0.2, stop_sequences=["\n\n"]
{"usage": {"input_tokens": 1523, "output_tokens": 412, "cache_read_input_tokens": 0}}
{"token_count": 8192, "tokens": 17, "tokenizer": "cl100k_base", "max_tokens": 1024}
{"token_type": "bearer", "expires_in": 3600, "scope": "read write"}
{"next_page_token": "CAUQAA", "page_token": "", "nextToken": "eyJvIjoxMH0"}
{"primary_key": "id", "foreign_key": "customer_id", "sort_key": "created_at", "cache_key": "user:42:profile"}
{"effect_key": "7d1c9f", "idempotency_key": "order-2024-0042", "public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 me@host"}
{"password_policy": "twelve characters", "password_min_length": 12, "password_changed_at": "2024-01-01"}
{"secret_name": "db-credentials", "secretKeyRef": {"name": "db", "key": "password"}}
{"author": "J. Doe", "authored_by": "jane", "authority": "town hall", "authorized": true}
{"pass": 120, "fail": 3, "skipped": 4, "compass": "north", "bypass": false}
const token = await getToken();
const { token, refreshToken } = useAuth();
headers: { Authorization: `Bearer ${token}` },
headers = {"Authorization": f"Bearer {token}"}
headers["Authorization"] = "Bearer " + token
export GITHUB_TOKEN=$(gh auth token)
export DB_PASSWORD="${DB_PASSWORD:?}"
DB_PASSWORD=${DB_PASSWORD}
password: ${{ secrets.DB_PASSWORD }}
token: {{ .Values.token }}
curl -H "Authorization: Bearer $TOKEN" https://api.example.com/v1/items
curl -H "Authorization: Bearer <token>" https://api.example.com/v1/items
git clone https://${TOKEN}@github.com/acme/app.git
postgres://app:${PGPASSWORD}@db.example.com:5432/app
api_key = "YOUR-API-KEY"
api_key: "<your api key>"
password: "********"
password = "[REDACTED]"
usage: login [--user USER] [--password PASSWORD] [--token TOKEN]
  --token TOKEN        the token to use
use --password to log in, or --token for a token
PWD=/srv/app/current
OLDPWD=/srv/app
cd "$PWD" && pwd
docker run -u 1000:1000 -e DEBUG=1 -p 8080:80 registry.example.com/app:1.4.2
kubectl create secret generic db --from-file=password.txt
func NewToken(kind Kind, text string) Token { return Token{Kind: kind, Text: text} }
type Config struct { Token string `json:"token"`; APIKey string `json:"api_key"` }
public String getPassword() { return password; }
let secret: Option<String> = None;
SELECT id, name FROM users WHERE password_hash IS NOT NULL ORDER BY id LIMIT 10;
CREATE TABLE tokens (id bigint PRIMARY KEY, user_id bigint REFERENCES users(id), expires_at timestamptz);
INSERT INTO t (key, value) VALUES ('color', 'blue');
<label for="password">Password</label><input type="password" name="password" autocomplete="off">
.token.comment { color: #6a737d; } .sk-toggleable__label-arrow:before { content: "x"; }
src/tallystick/core/redaction/masker.py:120: error: Name "token" is not defined
/var/log/app/token-service.log.2024-03-01.gz
C:\Users\me\AppData\Local\Temp\password-reset.html
https://example.com/docs/authentication#bearer-tokens
https://example.com/search?q=token+bucket&page=2&sort=key
https://example.com/items?key=color&value=blue
https://example.com:8443/a/b@c/d
https://medium.com/@someone/why-we-rotate-tokens-3f2a9c
git@github.com:acme/app.git
ssh://git@github.com/acme/app.git
commit 9b74c9897bac770ffc029102a200c5de3a1f0e9b
sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
md5 d41d8cd98f00b204e9800998ecf8427e  empty.txt
id 7f3c9a52-6c1e-4a0e-9f7b-0c8f5a1d2e3b, trace 4bf92f3577b34da6a3ce929d0e0e4736
ac_01J8Z6Q4T3WJ5X9K2M7N0P8R6S begun, ex_01J8Z6Q4T3WJ5X9K2M7N0P8R6T running
v1.4.2-rc.1+build.57 replaces v1.4.1; requires >=3.11,<4
<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAA==">
integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==
-----BEGIN CERTIFICATE-----
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7 someone@example.com
apiVersion: v1
kind: Secret
      - name: DB_PASSWORD
        valueFrom: {secretKeyRef: {name: db, key: password}}
      - name: LOG_LEVEL
        value: debug
secretName: tls-cert
2024-03-01T10:00:00Z INFO auth: token refreshed for user=42 in 31ms
2024-03-01T10:00:01Z WARN login failed: invalid password for user bob (attempt 2 of 5)
2024-03-01T10:00:02Z ERROR 401 Unauthorized: token expired
10.0.0.7 - - [01/Mar/2024:10:00:03 +0000] "GET /token HTTP/1.1" 200 512 "-" "curl/8.5.0"
[pass] 120 passed, 3 failed; pass: 120
WWW-Authenticate: Bearer realm="example", error="invalid_token"
- **token**: the session's token, see [tokens](docs/tokens.md)
- `password` (string, required): the password of the account
`api_key` is read from the environment.
Traceback (most recent call last):
  File "auth.py", line 12, in login
TypeError: login() missing 1 required positional argument: 'password'
arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf
signature = inspect.signature(function)
sig = signal.SIGTERM
x = tokens[i + 1]; y = keys["a"]; z = secrets.token_hex(16)
"""

ORDINARY_LINES = tuple(Path(__file__).with_name("ordinary_lines.txt").read_text().splitlines())
"""Commands and code as agents write them every day; most have an option or a name that others give a secret with."""
HARMLESS_LINES = (*BENIGN.strip().splitlines(), *ORDINARY_LINES)


def benign() -> Iterator[str]:
    """The lines above, and the standard library's own source, line by line."""
    yield from HARMLESS_LINES
    folder = Path(sysconfig.get_path("stdlib"))
    for path in sorted([*folder.glob("*.py"), *folder.glob("[a-z]*/*.py")]):
        if path.parts[-2] not in ("test", "idlelib", "site-packages"):
            yield from path.read_text(encoding="utf-8").splitlines()
