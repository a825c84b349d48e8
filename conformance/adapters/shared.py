"""What the adapters in Python share: the operations of the document, and the answers that are asked."""

import base64
import json
import os

with open(os.environ["CONTRACT"], encoding="utf-8") as file:
    document = json.load(file)

METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]
SCOPES = {"valid": ["read"], "admin": ["read", "write"]}


def resolve(value):
    if isinstance(value, dict) and str(value.get("$ref", "")).startswith("#/"):
        part = document
        for key in value["$ref"][2:].split("/"):
            part = part[key.replace("~1", "/")]
        return part
    return value


def operations():
    """Each operation by its operationId, with the parameters of its path."""
    found = {}
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                parameters = [resolve(each) for each in item.get("parameters", []) + item[method].get("parameters", [])]
                found[item[method]["operationId"]] = {**item[method], "path": path, "method": method, "parameters": parameters}
    return found


def plain(value):
    """A body as JSON: bytes are base64."""
    return {"bytes": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def asked(operation, text):
    """The answer that a request asks for: its status, its headers with the declared media type, and its body."""
    answer = json.loads(text) if isinstance(text, str) else text
    if "throws" in answer:
        raise RuntimeError("asked to throw")
    status, headers, responses = answer["status"], dict(answer.get("headers", {})), operation["responses"]
    response = responses.get(str(status), responses.get(f"{str(status)[0]}XX", responses.get("default")))
    types = [each for each in resolve(response or {}).get("content", {}) if "*" not in each]
    if not {"json", "text", "bytes", "items"} & answer.keys():
        return status, headers, None
    usual = "application/json" if "json" in answer else "text/plain" if "text" in answer else "application/octet-stream"
    same = [each for each in types if ("json" in each) == ("json" in answer or "items" in answer)]
    if not any(name.lower() == "content-type" for name in headers):
        headers["content-type"] = (same + types + [usual])[0]
    if "bytes" in answer:
        return status, headers, base64.b64decode(answer["bytes"])
    if "items" in answer:
        return status, headers, (part_of(headers["content-type"], item) for item in answer["items"])
    return status, headers, answer["json"] if "json" in answer else answer["text"]


def part_of(media_type, item):
    """An item of a stream as its media type writes it."""
    text = json.dumps(item)
    if not media_type.startswith("text/event-stream"):
        return ("\x1e" if media_type.startswith("application/json-seq") else "") + text + "\n"
    values = [(name, value if isinstance(value, str) else json.dumps(value)) for name, value in item.items()]
    return "".join(f"{name}: {line}\n" for name, value in values for line in value.split("\n")) + "\n"
