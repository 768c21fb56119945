"""Uses the client that openapi-python-client makes."""
import os

from client.api.posts import create_post, delete_post, get_post, list_posts, update_post
from client.client import AuthenticatedClient
from client.models import PostCreate, PostPatch

client = AuthenticatedClient(base_url=os.environ["CMS_URL"], token=os.environ["CMS_TOKEN"])
body = {"title": "Made", "rating": 4, "section": "News", "status": "published"}
made = create_post.sync(client=client, body=PostCreate.from_dict(body))
read = get_post.sync(made.id, client=client)
changed = update_post.sync(made.id, client=client, body=PostPatch(rating=5))
listed = list_posts.sync(client=client)
gone = delete_post.sync_detailed(made.id, client=client)
missing = get_post.sync(made.id, client=client)
print(read.title, read.section, int(changed.rating), listed.meta.total, int(gone.status_code))
print(missing.error.code)
