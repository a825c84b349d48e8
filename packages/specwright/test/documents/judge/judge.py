"""
An independent judge of values: draws them of a document's schemas and validates them, with no code of this repository.

Each line of stdin is a request in JSON, each line of stdout its answer:
{"do": "open", "document": ...}; {"do": "draw", "values": 500, "name": "seed"}; {"do": "judge", "values": [...]};
{"do": "explain", "differences": [...]}.
"""

import json
import pathlib
import sys

import yaml
from openapi_schema_validator import OAS30ReadValidator, OAS30WriteValidator, OAS31Validator, OAS32Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT4, DRAFT202012

from draw import draw, look_up
from inheritance import expand
from rules import refuses, ruled

RULES = tuple(yaml.safe_load((pathlib.Path(__file__).parent / "explained.yaml").read_text())["rules"])

# How many schemas, counted with those within them, are drawn of for a document: what is drawn does not depend on the machine.
DRAWN_SCHEMAS = 3000
METHODS = "get put post delete options head patch trace query".split()


def escape(key):
    return str(key).replace("~", "~0").replace("/", "~1")


def is_json(media_type):
    name = media_type.split(";")[0].strip().lower()
    return name == "application/json" or name.endswith("+json")


class Document:
    def __init__(self, document):
        self.document = document
        self.version = document["openapi"][:3]
        if self.version == "3.0":
            drop_siblings(document)
        expand(document)
        resource = Resource(contents=document, specification=DRAFT4 if self.version == "3.0" else DRAFT202012)
        self.registry = Registry().with_resource("urn:document", resource)
        self.validators = {}

    def resolve(self, node, pointer):
        """A part, through its references, with its pointer."""
        while isinstance(node, dict) and "$ref" in node:
            pointer = node["$ref"]
            node = look_up(self.document, pointer)
        return node, pointer

    def schemas(self):
        """The schemas of JSON bodies: of requests (`status` is empty) and responses."""
        for path, item in (self.document.get("paths") or {}).items():
            item, at = self.resolve(item, "#/paths/" + escape(path))
            for method in METHODS:
                if not isinstance(operation := item.get(method), dict):
                    continue
                holders = [("", operation.get("requestBody"), f"{at}/{method}/requestBody")]
                for status, response in (operation.get("responses") or {}).items():
                    holders.append((status, response, f"{at}/{method}/responses/{status}"))
                for status, holder, pointer in holders:
                    holder, pointer = self.resolve(holder, pointer)
                    for media_type, media in ((holder or {}).get("content") or {}).items():
                        if is_json(media_type) and isinstance(media.get("schema"), dict):
                            where = {"path": path, "method": method, "status": status, "type": media_type}
                            yield {**where, "pointer": f"{pointer}/content/{escape(media_type)}/schema"}, media["schema"]

    def validator(self, pointer, is_request, rules):
        key = (pointer, is_request, rules)
        if key not in self.validators:
            kind = {"3.1": OAS31Validator, "3.2": OAS32Validator}.get(
                self.version, OAS30WriteValidator if is_request else OAS30ReadValidator
            )
            kind = ruled(kind, rules, is_request)
            self.validators[key] = kind(
                {"$ref": "urn:document" + pointer}, registry=self.registry, format_checker=kind.FORMAT_CHECKER
            )
        return self.validators[key]

    def errors(self, at, text, rules=()):
        """What is wrong with a value, at most a few."""
        value = json.loads(text)
        is_request = at["status"] == ""
        validator = self.validator(at["pointer"], is_request, tuple(rules))
        found = refuses(text, is_request, rules)
        for error in validator.iter_errors(value):
            found.append(f"{'/'.join(map(str, error.absolute_path))}: {error.message[:150]} ({error.validator})")
            for inner in (error.context or [])[:6]:
                found.append(f"  {'/'.join(map(str, inner.absolute_path))}: {inner.message[:150]} ({inner.validator})")
            if len(found) > 8:
                break
        return found

    def explain(self, at, text, is_accepted):
        """The rule under which the verdicts agree; none if they do not."""
        for rule in RULES:
            if (not self.errors(at, text, [rule])) == is_accepted:
                return rule
        return "several" if (not self.errors(at, text, RULES)) == is_accepted else None


def drop_siblings(node):
    """Of OpenAPI 3.0: what is beside a `$ref` is ignored (section 4.7.23)."""
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            for key in [key for key in node if key != "$ref"]:
                del node[key]
        for part in node.values():
            drop_siblings(part)
    elif isinstance(node, list):
        for part in node:
            drop_siblings(part)


def dump(value):
    return json.dumps(value, allow_nan=False)


def draw_all(opened, count, name):
    """Of each distinct schema, so many values that all have `count`."""
    distinct = {}
    for at, schema in opened.schemas():
        target = opened.resolve(schema, at["pointer"])[1]
        distinct.setdefault((at["status"] == "", target), (at, schema))
    # At most forty: those of a large document in the order in which they are declared, requests first.
    chosen = sorted(distinct.values(), key=lambda one: one[0]["status"] != "")
    requests = [one for one in chosen if one[0]["status"] == ""][:24]
    chosen = requests + [one for one in chosen if one[0]["status"] != ""][: 40 - len(requests)]
    results = []
    budget = DRAWN_SCHEMAS // max(1, len(chosen))
    for index, (at, schema) in enumerate(chosen):
        share = -(-(count - sum(len(one["values"]) for one in results)) // (len(chosen) - index))
        texts = []
        for value in draw(opened.document, schema, share, f"{name} {at['pointer']} {at['status'] == ''}", budget):
            try:
                texts.append({"text": dump(value), "errors": opened.errors(at, dump(value))})
            except ValueError:
                # NaN and what UTF-8 has not: no JSON.
                continue
        results.append({**at, "values": texts})
    return results


def main():
    opened = None
    for line in sys.stdin:
        request = json.loads(line)
        what = request["do"]
        if what == "open":
            opened, answer = Document(request["document"]), True
        elif what == "draw":
            answer = draw_all(opened, request["values"], request["name"])
        elif what == "judge":
            answer = [opened.errors(one, one["text"]) for one in request["values"]]
        else:
            answer = [opened.explain(one, one["text"], one["isAccepted"]) for one in request["differences"]]
        print(json.dumps(answer), flush=True)


main()
