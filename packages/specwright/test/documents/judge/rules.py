"""The judge with a documented rule of ours, by the names of explained.yaml."""

import json
import re
from decimal import Decimal

from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

MAX_SAFE = 2**53 - 1


def is_object_if_properties(validator, properties, instance, schema):
    if not isinstance(instance, dict) and "type" not in schema:
        yield ValidationError(f"{instance!r} is not an object, whose properties are declared")
    yield from validator.ORIGINAL["properties"](validator, properties, instance, schema)


BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
URL = re.compile(r"(?:https?|ftp)://(?:[^\s/?#@]+@)?[^\s/?#@:.-][^\s/?#@:]*(?::\d+)?(?:[/?#]\S*)?", re.IGNORECASE)
OPENAPI_FORMATS = {
    "url": lambda value: not isinstance(value, str) or URL.fullmatch(value) is not None,
    "byte": lambda value: not isinstance(value, str) or BASE64.fullmatch(value) is not None,
    "int32": lambda value: not is_number(value) or value == int(value) and -(2**31) <= value < 2**31,
    "int64": lambda value: not is_number(value) or value == int(value) and -(2**63) <= value < 2**63,
    "float": lambda value: not is_number(value) or abs(value) <= 3.4028234663852886e38,
}


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_of_format(validator, name, instance, schema):
    if name not in OPENAPI_FORMATS:
        yield from validator.ORIGINAL["format"](validator, name, instance, schema)
    elif not OPENAPI_FORMATS[name](instance):
        yield ValidationError(f"{instance!r} is not a {name}")


def is_of_format_without_line_end(validator, name, instance, schema):
    if name in validator.format_checker.checkers and isinstance(instance, str) and instance.endswith("\n"):
        yield ValidationError(f"{instance!r} ends with a line end")
    else:
        yield from (is_of_format if hasattr(validator, "BOTH") else validator.ORIGINAL["format"])(validator, name, instance, schema)


def is_left_out(validator, schema, name):
    """Whether a property is none of requests, or none of responses."""
    part = (schema.get("properties") or {}).get(name)
    for _ in range(9):
        if not isinstance(part, dict):
            return False
        if part.get("readOnly" if validator.IS_REQUEST else "writeOnly") is True:
            return True
        if "$ref" not in part:
            return any(isinstance(one, dict) and one.get("readOnly" if validator.IS_REQUEST else "writeOnly") is True for one in part.get("allOf", ()))
        part = validator._resolver.lookup(part["$ref"]).contents
    return False


def required_but_left_out(validator, required, instance, schema):
    needed = [name for name in required if not is_left_out(validator, schema, name)]
    yield from validator.ORIGINAL["required"](validator, needed, instance, schema)


def properties_but_left_out(validator, properties, instance, schema):
    kept = {name: {} if is_left_out(validator, schema, name) else part for name, part in properties.items()}
    check = is_object_if_properties if hasattr(validator, "BOTH") else validator.ORIGINAL["properties"]
    yield from check(validator, kept, instance, schema)


def composed(keyword, rules):
    """The check of `allOf`, `anyOf` or `oneOf` with what is beside it."""

    def check(validator, parts, instance, schema):
        if "untyped-nullable" in rules and instance is None and schema.get("nullable") is True and "type" not in schema:
            return
        tag = schema.get("discriminator") if keyword != "allOf" and "required-tag" in rules else None
        if isinstance(tag, dict) and "defaultMapping" not in tag and isinstance(instance, dict) and tag.get("propertyName") not in instance:
            yield ValidationError(f"{tag.get('propertyName')!r} says which schema applies, and is missing")
        yield from validator.ORIGINAL[keyword](validator, parts, instance, schema)

    return check


def is_matched_if_readable(validator, pattern, instance, schema):
    for error in validator.ORIGINAL["pattern"](validator, pattern, instance, schema):
        if "is not a valid regular expression" not in error.message:
            yield error


def is_exact_multiple(validator, factor, instance, schema):
    if is_number(instance) and Decimal(repr(instance)) % Decimal(repr(factor)) != 0:
        yield ValidationError(f"{instance!r} is not a multiple of {factor}")


def skip(validator, value, instance, schema):
    return iter(())


def is_integer(_, value):
    return isinstance(value, int) and not isinstance(value, bool) or isinstance(value, float) and value.is_integer()


def ruled(kind, rules, is_request):
    """A kind of validator with rules. Those of values are `changed_value` and `refuses`."""
    if not rules:
        return kind
    changed = {}
    checker = kind.TYPE_CHECKER
    if "object-if-properties" in rules:
        changed["properties"] = is_object_if_properties
    if "openapi-formats" in rules:
        changed["format"] = is_of_format
    if "foreign-pattern" in rules:
        changed["pattern"] = is_matched_if_readable
    if "exact-multiple" in rules:
        changed["multipleOf"] = is_exact_multiple
    if "line-end" in rules:
        changed["format"] = is_of_format_without_line_end
    if "read-only-write-only" in rules:
        changed.update(properties=properties_but_left_out, required=required_but_left_out, readOnly=skip, writeOnly=skip)
    if {"untyped-nullable", "required-tag"} & set(rules):
        changed.update((keyword, composed(keyword, rules)) for keyword in ("allOf", "anyOf", "oneOf"))
    if "integral-number" in rules:
        checker = checker.redefine("integer", is_integer)
    result = extend(kind, changed, type_checker=checker)
    result.ORIGINAL = dict(kind.VALIDATORS)
    result.IS_REQUEST = is_request
    if len(rules) > 1:
        result.BOTH = True
    return result


def contains(value, is_meant):
    """Whether a value, or one within it, is meant."""
    if isinstance(value, dict):
        return any(is_meant(key) or contains(one, is_meant) for key, one in value.items())
    if isinstance(value, list):
        return any(contains(one, is_meant) for one in value)
    return is_meant(value)


def is_inexact(value):
    if isinstance(value, Decimal):
        return value == value.to_integral_value() and abs(value) > MAX_SAFE and Decimal(float(value)) != value
    return isinstance(value, int) and abs(value) > MAX_SAFE


def is_unpaired(value):
    return isinstance(value, str) and any("\ud800" <= character <= "\udfff" for character in value)


def refuses(text, is_request, rules):
    """What a rule refuses whatever the schema says."""
    if "exact-integer" in rules and is_request and contains(json.loads(text, parse_float=Decimal), is_inexact):
        return ["an integer that a number cannot hold exactly (exact-integer)"]
    if "unpaired-surrogate" in rules and is_request and contains(json.loads(text), is_unpaired):
        return ["a text that has no UTF-8 (unpaired-surrogate)"]
    return []
