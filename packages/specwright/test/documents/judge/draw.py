"""Draws values of a schema with hypothesis-jsonschema, and mutates them: near the border of what is valid."""

import copy
import random
import re
import signal
import sys
import warnings

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis_jsonschema import from_schema

warnings.simplefilter("ignore")

# The generator reads draft 7. What is left out here only makes more of its values invalid.
KEPT = set(
    """type enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format minItems maxItems
    uniqueItems minProperties maxProperties required""".split()
)
MAX_DEPTH = 6
# Drawing takes about a millisecond for each schema within a schema: larger ones are cut at a lesser depth.
MAX_SIZE = 300
# A generator that does not end: no schema of the list needs this.
MAX_SECONDS = 60


class Cut(Exception):
    """A schema within itself, or too deep."""


class TimeIsUp(BaseException):
    """Not an Exception: Hypothesis would take it for a failure of the test."""


def on_alarm(*_):
    raise TimeIsUp


def on_unraisable(unraisable):
    if unraisable.exc_type is not TimeIsUp:
        sys.__unraisablehook__(unraisable)


signal.signal(signal.SIGVTALRM, on_alarm)
# Where Python itself calls back, the exception would be printed; the alarm comes again.
sys.unraisablehook = on_unraisable


def look_up(document, ref):
    node = document
    for part in ref.removeprefix("#").split("/")[1:]:
        key = re.sub("%([0-9A-Fa-f]{2})", lambda m: chr(int(m[1], 16)), part).replace("~1", "/").replace("~0", "~")
        node = node[int(key)] if isinstance(node, list) else node[key]
    return node


def drawable(document, schema, depth=MAX_DEPTH, above=()):
    """The schema without references, in draft 7. Raises Cut."""
    if not isinstance(schema, dict):
        return schema if isinstance(schema, bool) else {}
    if len(above) > depth:
        raise Cut

    def within(part, name=""):
        return drawable(document, part, depth, (*above, name))

    ref = schema.get("$ref")
    if isinstance(ref, str):
        if ref in above or not ref.startswith("#/"):
            raise Cut
        return within(look_up(document, ref), ref)
    result = {key: value for key, value in schema.items() if key in KEPT and value != []}
    for key in ("exclusiveMinimum", "exclusiveMaximum"):
        if isinstance(result.get(key), bool):
            del result[key]
    for key in ("anyOf", "oneOf", "allOf"):
        branches = []
        for branch in schema.get(key) or ():
            try:
                branches.append(within(branch))
            except Cut:
                if key == "allOf":
                    raise
        if schema.get(key) and not branches:
            raise Cut
        if branches:
            result[key] = branches
    properties = {}
    for name, part in (schema.get("properties") or {}).items():
        try:
            properties[name] = within(part)
        except Cut:
            if name in schema.get("required", ()):
                raise
    if "properties" in schema:
        result["properties"] = properties
        result.setdefault("type", "object")
        # Few others: a property that is not declared is a mutation.
        result["additionalProperties"] = False if "additionalProperties" not in schema else True
    if isinstance(schema.get("additionalProperties"), (dict, bool)):
        try:
            result["additionalProperties"] = within(schema["additionalProperties"])
        except Cut:
            result["additionalProperties"] = False
    for key in ("items", "prefixItems"):
        try:
            part = schema.get(key)
            if isinstance(part, list):
                result["items"] = [within(one) for one in part]
            elif isinstance(part, dict):
                result["additionalItems" if "prefixItems" in schema else "items"] = within(part)
        except Cut:
            result["maxItems"] = 0
    if schema.get("nullable") is True and "type" in result:
        result["type"] = [result["type"], "null"] if isinstance(result["type"], str) else result["type"]
        if "enum" in result:
            result["enum"] = [*result["enum"], None]
    return result


def size_of(schema):
    if isinstance(schema, list):
        return sum(map(size_of, schema))
    return 1 + sum(map(size_of, schema.values())) if isinstance(schema, dict) else 0


def draw_valid(schema, count, number):
    """At most so many values of a drawable schema."""
    found = []

    @settings(max_examples=count, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @seed(number)
    @given(from_schema(schema))
    def collect(value):
        found.append(copy.deepcopy(value))

    signal.setitimer(signal.ITIMER_VIRTUAL, MAX_SECONDS, 0.1)
    try:
        collect()
    except (TimeIsUp, Exception):
        # A pattern or combination that the generator cannot do: what was found so far counts.
        pass
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return found


def constants_of(schema, found=None):
    """Values and bounds that the schema names: those where verdicts change."""
    found = [] if found is None else found
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "enum":
                found.extend(value[:5])
            elif key in ("const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"):
                found.append(value)
            elif key in ("minLength", "maxLength") and value < 300:
                found.append("é" * value)
            constants_of(value, found)
    elif isinstance(schema, list):
        for part in schema:
            constants_of(part, found)
    return found


OTHERS = [None, 0, -1, 1.5, 1e3, 2**31, 2**53, True, False, "", "x", " ", "1", "true", "null", [], [None], {}, {"x": 1}, "2026-11-25", "😀"]


def places(value, found):
    """Each part of a value, with what it is in."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        found.append((value, key))
        places(part, found)
    return found


def near(part, rng):
    """A value beside another one."""
    if isinstance(part, bool):
        return not part
    if isinstance(part, (int, float)):
        return rng.choice([part + 1, part - 1, part + 0.5, -part, part * 1000])
    if isinstance(part, str):
        return rng.choice([part[:-1], part + "x", part.upper(), part.lower(), part + "\n", "x" * len(part), part + part])
    if isinstance(part, list):
        return rng.choice([part[:-1], part + part[-1:], part + [None], part + part])
    if isinstance(part, dict):
        return {**part, rng.choice(["unexpected", "__proto__", "constructor", ""]): rng.choice(OTHERS)}
    return rng.choice(OTHERS)


def mutate(value, constants, rng):
    root = [copy.deepcopy(value)]
    for _ in range(rng.choice([1, 1, 1, 2])):
        container, key = rng.choice(places(root, []))
        how = rng.randrange(5)
        if how == 0 and container is not root:
            del container[key]
        elif how == 1:
            container[key] = copy.deepcopy(rng.choice(OTHERS))
        elif how == 2 and constants:
            constant = copy.deepcopy(rng.choice(constants))
            container[key] = near(constant, rng) if rng.random() < 0.5 else constant
        else:
            container[key] = near(container[key], rng)
        if not root:
            root = [None]
    return root[0]


def smallest_drawable(document, schema):
    """Of a depth at which it is not too large to draw of, if there is one."""
    plain = {}
    for depth in range(MAX_DEPTH, 0, -1):
        try:
            plain = drawable(document, schema, depth)
        except (Cut, KeyError, TypeError):
            break
        if size_of(plain) <= MAX_SIZE:
            break
    return plain


def draw(document, schema, count, name, budget):
    """`count` values: a sixth is drawn, less of a large schema, and the rest is mutated. @param budget of schemas that are drawn of."""
    rng = random.Random(name)
    plain = smallest_drawable(document, schema)
    drawn = max(2, min(count // 6, budget // max(1, size_of(plain))))
    valid = draw_valid(plain, drawn, rng.randrange(2**32))
    for source in (schema, plain):
        if isinstance(source, dict):
            examples = source.get("examples")
            valid.extend([source["example"]] if "example" in source else examples if isinstance(examples, list) else [])
    constants = constants_of(plain)
    values = valid[: max(2, count // 6)]
    mutated = [mutate(rng.choice(valid or OTHERS), constants, rng) for _ in range(count - len(values))]
    return values + mutated
