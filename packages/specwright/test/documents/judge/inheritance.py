"""Writes children as the alternatives of their parent, which JSON Schema does not know: in the judge's own words, not in ours."""

PREFIX = "#/components/schemas/"


def expand(document):
    """Changes a document whose schemas build on one with a discriminator by allOf; or on one that lists them, as springdoc writes it."""
    schemas = (document.get("components") or {}).get("schemas") or {}
    parents_of = {name: set(inherited(schema)) & set(schemas) for name, schema in schemas.items()}
    families = {}
    for name, schema in schemas.items():
        below = descendants(name, parents_of)
        if not below:
            continue
        listed = [part.get("$ref", "").removeprefix(PREFIX) for part in [*schema.get("oneOf", []), *schema.get("anyOf", [])]]
        if listed:
            if "discriminator" in schema and set(listed) & below:
                families[name] = (schema["discriminator"], listed, below & set(listed))
            continue
        discriminator = nearest(name, schemas, parents_of)
        if discriminator is not None:
            families[name] = (discriminator, [one for one in schemas if one in below], below)
    if not families:
        return
    bases = {}
    for name in families:
        base = dict(schemas[name])
        for key in ("oneOf", "anyOf", "discriminator"):
            base.pop(key, None)
        bases[name] = base
    heirs = {heir: {name for name, (_, _, all_heirs) in families.items() if heir in all_heirs} for heir in schemas}
    selected = {name: bases.get(name, schemas[name]) for name in {*bases, *(one for one, above in heirs.items() if above)}}
    for name, schema in list(selected.items()):
        schemas[f"{name}--own"] = to_bases(schema, heirs[name])
    for name, schema in selected.items():
        if is_closed(name, selected, parents_of, families):
            names = properties_of(name, selected, parents_of)
            schemas[f"{name}--one"] = {
                "allOf": [{"$ref": f"{PREFIX}{name}--own"}, {"type": "object", "properties": names, "additionalProperties": False}]
            }
        else:
            schemas[f"{name}--one"] = {"$ref": f"{PREFIX}{name}--own"}
    for name, schema in selected.items():
        if is_closed(name, selected, parents_of, families):
            strip_closing(schemas[f"{name}--own"])
    for name in heirs:
        if heirs[name] and name not in families:
            schemas[name] = {"$ref": f"{PREFIX}{name}--one"}
    for name, (discriminator, others, _) in families.items():
        schemas[name] = union(name, discriminator, others, selected, parents_of, is_listing=bool({"oneOf", "anyOf"} & set(schemas[name])))


def inherited(schema):
    for part in schema.get("allOf", []) if isinstance(schema, dict) else []:
        if "$ref" in part:
            yield part["$ref"].removeprefix(PREFIX)
        else:
            yield from inherited(part)


def descendants(name, parents_of):
    found = set()
    while True:
        more = {child for child, parents in parents_of.items() if parents & (found | {name})} - found
        if not more:
            return found
        found |= more


def ancestors(name, parents_of):
    found = []
    for parent in sorted(parents_of.get(name, ())):
        found += [parent, *ancestors(parent, parents_of)]
    return found


def nearest(name, schemas, parents_of):
    for one in [name, *ancestors(name, parents_of)]:
        if "discriminator" in schemas[one] and not {"oneOf", "anyOf"} & set(schemas[one]):
            return schemas[one]["discriminator"]
    return None


def to_bases(schema, parents):
    if not isinstance(schema, dict) or "allOf" not in schema:
        return schema
    parts = []
    for part in schema["allOf"]:
        name = part.get("$ref", "").removeprefix(PREFIX)
        parts.append({"$ref": f"{PREFIX}{name}--own"} if name in parents else to_bases(part, parents))
    return {**schema, "allOf": parts}


def parts_of(schema):
    if isinstance(schema, dict):
        yield schema
        for part in schema.get("allOf", []):
            yield from parts_of(part)


def whole(name, selected, parents_of):
    for one in [name, *ancestors(name, parents_of)]:
        yield from parts_of(selected.get(one, {}))


def is_closed(name, selected, parents_of, families):
    """Not below a parent that lists its children: there each part means what it says."""
    return any(part.get("additionalProperties") is False for part in whole(name, selected, parents_of))


def properties_of(name, selected, parents_of):
    return {key: {} for part in whole(name, selected, parents_of) for key in part.get("properties", {})}


def strip_closing(schema):
    for part in parts_of(schema):
        if part.get("additionalProperties") is False:
            del part["additionalProperties"]


def union(name, discriminator, others, selected, parents_of, is_listing):
    key = discriminator["propertyName"]
    mapping = {value: target.removeprefix(PREFIX) for value, target in discriminator.get("mapping", {}).items()}
    tags = {}
    for one in [*others, *([] if is_listing else [name])]:
        found = [value for value, target in mapping.items() if target == one]
        found += [] if one in mapping else [one]
        listed = [part["properties"][key].get("enum") for part in whole(one, selected, parents_of) if key in part.get("properties", {})]
        tags[one] = [value for value in found if all(values is None or value in values for values in listed)]
    alternatives = []
    for one, values in tags.items():
        tag = {"type": "object", "required": [key], "properties": {key: {"enum": values}}}
        alternatives.append({"allOf": [{"$ref": f"{PREFIX}{one}--one" if one in selected else f"{PREFIX}{one}"}, tag]})
    result = {"anyOf": alternatives}
    return {"allOf": [{"$ref": f"{PREFIX}{name}--own"}, result]} if is_listing else result
