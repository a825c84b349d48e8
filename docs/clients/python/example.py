"""Signs up, adds pets, lists them page by page, and shows an error and a 429."""

import os
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import httpx
from petstore.api.account import create_account
from petstore.api.pets import create_category, create_pet, get_store_pet, list_pets
from petstore.client import AuthenticatedClient, Client
from petstore.models import CreatedAccount, Error, NewAccount, NewCategory, NewPet
from petstore.types import UNSET

url = os.environ.get("BASE_URL", "http://localhost:3000")

account = create_account.sync(client=Client(base_url=url), body=NewAccount(email=f"{uuid4()}@example.com"))
assert isinstance(account, CreatedAccount), account
client = AuthenticatedClient(base_url=url, token=account.api_key)

category = create_category.sync(client=client, body=NewCategory(name="Dogs"))
for name in ("Rex", "Bo", "Ida"):
    # With an Idempotency-Key the request can be sent again until there is an answer.
    created = create_pet.sync_detailed(
        client=client, body=NewPet(name=name, category_id=category.id), idempotency_key=str(uuid4())
    )
    print("created", created.parsed.name, created.headers["Location"])

cursor = UNSET
while True:
    page = list_pets.sync_detailed(client=client, limit=2, cursor=cursor)
    print("page", len(page.parsed))
    link = httpx.Response(200, headers=page.headers).links.get("next")
    if link is None:
        break
    cursor = parse_qs(urlsplit(link["url"]).query)["cursor"][0]

missing = get_store_pet.sync_detailed(client=client, pet_id=9007199254740991)
assert isinstance(missing.parsed, Error)
print("error", int(missing.status_code), missing.parsed.code)

while (page := list_pets.sync_detailed(client=client)).status_code != 429:
    pass
print("limited", page.parsed.code)
print("retry after", page.headers["Retry-After"], "s")
