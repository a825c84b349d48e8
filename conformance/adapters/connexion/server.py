"""AsyncApp with an own resolver of operations; requests and responses are checked, and credentials by the functions that it names."""

import os
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
for kind in ["APIKEY", "BASIC", "BEARER", "TOKEN"]:
    os.environ[f"{kind}INFO_FUNC"] = f"server.{kind.lower()}"

import connexion
from connexion.decorators.parameter import sanitized
from connexion.resolver import Resolver
from shared import SCOPES, asked, document, operations, plain
from starlette.datastructures import UploadFile


def apikey(key, required_scopes=None):
    return token(key)


def basic(username, password, required_scopes=None):
    return token(password) if username == "user" else None


def bearer(value):
    return token(value)


def token(value):
    return {"sub": value, "scope": SCOPES[value]} if value in SCOPES else None


async def file_of(file):
    return {**plain(await file.read()), "filename": file.filename}


def handler_of(operation):
    names = {place: [each["name"] for each in operation["parameters"] if each["in"] == place] for place in ["path", "query", "header", "cookie"]}

    async def answer(**kwargs):
        status, headers, body = asked(operation, kwargs["answer"])
        return connexion.NoContent if body is None else body, status, headers

    async def echo(**kwargs):
        request = connexion.request
        body = kwargs.get("body")
        if isinstance(body, bytes) and request.mimetype.startswith("text/"):
            body = body.decode()
        for name, value in kwargs.items():
            if isinstance(value, UploadFile):
                body[name] = await file_of(value)
            elif isinstance(value, list) and any(isinstance(each, UploadFile) for each in value):
                body[name] = [await file_of(each) for each in value]
        # Header fields and cookies are no arguments of functions: its page on requests names these.
        return {
            "path": {name: kwargs[sanitized(name)] for name in names["path"]},
            "query": {name: kwargs[sanitized(name)] for name in names["query"] if sanitized(name) in kwargs},
            "header": {name: request.headers[name] for name in names["header"] if name in request.headers},
            "cookie": {name: request.cookies[name] for name in names["cookie"] if name in request.cookies},
            "body": plain(body),
        }

    return answer if operation["operationId"].startswith("answer") else echo


handlers = {name: handler_of(operation) for name, operation in operations().items()}
app = connexion.AsyncApp(__name__)
app.add_api(document, resolver=Resolver(handlers.__getitem__), validate_responses=True)
