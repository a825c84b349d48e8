"""Models that say what the documents say, where FastAPI has a model for it: each line is a path operation."""

from datetime import date, datetime
from typing import Annotated, Any, Literal

from fastapi import Body, Cookie, FastAPI, Header, Path, Query
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Json

app = FastAPI()
Level = {"ge": -5, "le": 10}


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Rgb(Part):
    R: int | None = None
    G: int | None = None
    B: int | None = None


class RedGreen(Part):
    R: int
    G: int | None = None


class NameCount(Part):
    name: str
    count: int | None = None


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    id: int | None = None


class Simple(Open):
    name: str
    address: dict[str, Any] | None = None
    age: Annotated[int, Field(ge=0)] | None = None


class Point(Part):
    x: int
    y: str | None = None


def unique(values: list[int] | None) -> list[int] | None:
    if values is not None and len(set(values)) < len(values):
        raise ValueError("values must be unique")
    return values


def point(value: Any) -> Point | None:
    return None if value is None else Point.model_validate(value)


def sent(value: Any) -> Any:
    """An object without its absent properties."""
    return value.model_dump(exclude_none=True) if isinstance(value, BaseModel) else value


def operation(place: str, path: str, kind: Any, name: str = "color", default: Any = None) -> None:
    async def handle(color: kind = default):
        received = {"path": {}, "query": {}, "header": {}, "cookie": {}}
        return received if color is None else {**received, place: {name: sent(color)}}

    async def handle_required(color: kind):
        return await handle(color)

    app.get("/parameters/" + path)(handle_required if default is ... else handle)


def path(at: str, kind: Any) -> None:
    operation("path", at + "/{color}", kind, default=...)


def query(at: str, kind: Any, default: Any = None) -> None:
    operation("query", at, kind, default=default)


def header(at: str, kind: Any, default: Any = None, **checks: Any) -> None:
    operation("header", at, Annotated[kind, Header(alias="Color", **checks)], "Color", default)


def cookie(at: str, kind: Any, default: Any = None, **checks: Any) -> None:
    operation("cookie", at, Annotated[kind, Cookie(**checks)], default=default)


def body(at: str, kind: Any) -> None:
    async def handle(body: kind):
        return {"path": {}, "query": {}, "header": {}, "cookie": {}, "body": sent(body)}

    app.post(at)(handle)


path("path-simple-string", str)
path("path-simple-explode-string", str)
path("path-integer", Annotated[int, Path(**Level)])
path("path-text", Annotated[str, Path(max_length=6)])
query("query-form-string", str | None)
query("query-form-explode-string", str | None)
query("query-form-explode-array", Annotated[list[str] | None, Query()])
query("query-form-explode-object", Annotated[Rgb, Query()], ...)
query("query-exploded-object", Annotated[RedGreen, Query()], ...)
query("query-integer", Annotated[int | None, Query(**Level)])
query("query-integer-once", int | None)
query("query-number", Annotated[float | None, Query(lt=1000, multiple_of=0.25)])
query("query-boolean", bool | None)
query("query-text", Annotated[str | None, Query(min_length=2, max_length=4)])
query("query-enum", Literal["red", "light blue", "7"] | None)
query("query-pattern", Annotated[str | None, Query(pattern="^[a-z]+[0-9]?$")])
query("query-pattern-anywhere", Annotated[str | None, Query(pattern="b.e")])
query("query-date", date | None)
query("query-date-time", datetime | None)
query("query-default", Annotated[int, Query(ge=1)], 20)
query("query-required", str, ...)
query("query-list", Annotated[list[int] | None, Query(min_length=1, max_length=3), AfterValidator(unique)])
query("query-content-json", Annotated[Json | None, Query(), AfterValidator(point)])
header("header-simple-string", str | None)
header("header-simple-explode-string", str | None)
header("header-simple-array", list[str] | None)
header("header-simple-explode-array", list[str] | None)
header("header-integer", int | None, **Level)
header("header-required", str, ..., min_length=1)
header("header-list", list[int] | None, max_length=3)
header("header-list-texts", list[str] | None)
cookie("cookie-form-string", str | None)
cookie("cookie-integer", int | None, **Level)
cookie("cookie-required", str, ...)
body("/json/any", Annotated[Any, Body()])
body("/bodies/free", Annotated[Any, Body()])
body("/bodies/object", NameCount)
body("/bodies/open-object", Open)
body("/bodies/simple-model", Simple)
body("/bodies/map", Annotated[dict[str, str], Body()])
body("/bodies/required", Annotated[dict[str, Any], Body()])
body("/bodies/json-only", Annotated[dict[str, Any], Body()])
body("/bodies/integer", Annotated[int, Body()])
body("/bodies/int64", Annotated[int, Body()])
body("/bodies/number", Annotated[float, Body()])
body("/bodies/bounded", Annotated[int, Body(ge=-9007199254740991, le=9007199254740991)])
body("/bodies/string", Annotated[str, Body()])
body("/bodies/one-character", Annotated[str, Body(min_length=1, max_length=1)])
body("/bodies/pattern", Annotated[str, Body(pattern="^[a-z]+$")])
body("/bodies/pattern-digits", Annotated[str, Body(pattern=r"^\d+$")])
body("/bodies/date-time", Annotated[datetime, Body()])
