"""What schemathesis cannot read from the document: how a cursor and an entity tag look, and which 400 valid data may meet."""

import re
import uuid

import schemathesis
from hypothesis import strategies as st

# Headers with a pattern that needs more than letters and digits get values against the pattern in the coverage phase,
# in requests that count as valid: https://github.com/schemathesis/schemathesis/pull/4205. A format of one's own is exempt.
TAG = st.one_of(st.integers(1, 3).map(str), st.text("!#$%&'()*+,-./:;<=>?@[]^_`{|}~ab1", max_size=10)).map('"{}"'.format)
TAGS = st.lists(st.builds(str.__add__, st.sampled_from(["", "W/"]), TAG), min_size=1, max_size=3).map(", ".join)
# Often the one that every record matches, or few changes would be made at all.
schemathesis.openapi.format("entity-tags", st.one_of(st.just("*"), st.just("*"), TAGS))


@schemathesis.hook
def before_load_schema(context, raw_schema):
    components = raw_schema["components"]
    components["schemas"]["ETags"]["format"] = "entity-tags"
    components["parameters"]["IfMatch"]["example"] = "*"
    # A cursor is opaque, and that only the server makes them is no part of the schema: these are the ones from 1 to 9.
    components["parameters"]["Cursor"]["schema"] = {"type": "string", "pattern": "^djE6(M[Qgw]|N[AQgw]|O[AQ])$"}


@schemathesis.hook
def before_call(context, case, kwargs):
    """A valid Idempotency-Key is new in each request: one that is sent again answers with what may be deleted by now."""
    key = (case.headers or {}).get("Idempotency-Key")
    if key is not None and re.fullmatch("[!-~]{1,255}", str(key)):
        case.headers["Idempotency-Key"] = str(uuid.uuid4())


@schemathesis.hook
def map_body(context, body):
    """Of a form with files the fields come first: a server may have called its handler when the first file begins."""
    if context.operation.definition.raw.get("operationId") != "createPhoto" or not isinstance(body, dict) or "photo" not in body:
        return body
    return {**{name: value for name, value in body.items() if name != "photo"}, "photo": body["photo"]}


@schemathesis.hook
def filter_body(context, body):
    """In a form with files every value of a field is a text, so that one of another type is valid all the same."""
    if context.operation.definition.raw.get("operationId") != "createPhoto" or not isinstance(body, dict):
        return True
    return isinstance(body.get("caption", ""), str)


@schemathesis.deserializer("image/*")
def deserialize_image(ctx, response):
    return response.content.decode("latin-1")


@schemathesis.check
def only_references_are_refused(ctx, response, case):
    """Valid data meets 400 only when it refers to a record that does not exist or an address that is not allowed, or is no image."""
    valid = case.meta is not None and case.meta.generation.mode.is_positive
    if valid and response.status_code == 400:
        body = response.json()
        assert body["code"] in ("invalid_reference", "invalid_webhook_url", "invalid_image"), f"valid data is refused: {body['message']}"
