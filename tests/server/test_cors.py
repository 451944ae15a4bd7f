"""Pages of other sites: allowed origins may send a token, all others are rejected."""

from tests.server.web_server import Browser, running_server

APP = "https://app.example"


def test_a_page_of_an_allowed_origin_sends_a_token_and_reads_the_response() -> None:
    with running_server(origins=(APP,)) as found:
        answer = found.ask("/v1/executions", token=found.token("read"), headers={"origin": APP})
        assert answer.status == 200
        assert answer.headers["access-control-allow-origin"] == APP
        assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
        assert "access-control-allow-credentials" not in answer.headers
        files = found.ask("/static/embed/element.js", headers={"origin": APP})
        assert (files.status, files.headers["access-control-allow-origin"]) == (200, APP)


def test_neither_this_machine_nor_a_cookie_speaks_for_it() -> None:
    with running_server(origins=(APP,)) as found:
        browser = Browser()
        found.ask("/login", {"token": found.token("approve")}, browser=browser)
        assert found.ask("/v1/executions", browser=browser).status == 200
        for who in (None, browser):
            assert found.ask("/v1/executions", browser=who, headers={"origin": APP}).status == 401


def test_a_preflight_request_gets_the_allowed_methods_and_headers() -> None:
    with running_server(origins=(APP,)) as found:
        wanted = {"origin": APP, "access-control-request-method": "POST", "access-control-request-headers": "x"}
        answer = found.ask("/v1/executions", method="OPTIONS", headers=wanted)
        assert answer.status == 204
        assert "authorization" in answer.headers["access-control-allow-headers"]
        assert "tallystick-csrf" not in answer.headers["access-control-allow-headers"]


def test_a_page_that_was_not_named_may_not_ask() -> None:
    with running_server(origins=(APP, "null", "*")) as found:
        for origin in ("https://evil.example", "null", f"{APP}.evil.example", "http://app.example"):
            answer = found.ask("/v1/executions", token=found.token("read"), headers={"origin": origin})
            assert answer.status == 403
            assert "access-control-allow-origin" not in answer.headers
