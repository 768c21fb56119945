"""What progenitor reads of the description: it supports neither OpenAPI 3.1, nor several types of a body, nor
several responses of an operation. Reads openapi30.json, writes subset.json."""
import json

METHODS = {"get", "post", "put", "patch", "delete"}
FAILURE = {
    "description": "A failure.",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
}

with open("openapi30.json") as source:
    document = json.load(source)
for path in document["paths"].values():
    for method in METHODS & path.keys():
        operation = path[method]
        body = operation.get("requestBody")
        if body is not None and list(body["content"]) != ["application/json"]:
            del path[method]
            continue
        success = next(of for code, of in operation["responses"].items() if code.startswith("2"))
        operation["responses"] = {"2XX": success, "4XX": FAILURE}
document.pop("x-webhooks", None)
with open("subset.json", "w") as target:
    json.dump(document, target)
