"""Uses the client that OpenAPI Generator makes."""
import os

from client import ApiClient, ChangesApi, Configuration, PostCreate, PostPatch, PostsApi
from client.exceptions import NotFoundException

configuration = Configuration(host=os.environ["CMS_URL"], access_token=os.environ["CMS_TOKEN"])
api = ApiClient(configuration)
posts = PostsApi(api)
assert ChangesApi(api).list_changes is not None
made = posts.create_post(PostCreate(title="Made", rating=4, section="News", status="published"))
read = posts.get_post(made.id)
changed = posts.update_post(made.id, PostPatch(rating=5))
listed = posts.list_posts()
gone = posts.delete_post_with_http_info(made.id)
print(read.title, read.section, int(changed.rating), listed.meta.total, gone.status_code)
try:
    posts.get_post(made.id)
except NotFoundException as missing:
    print(missing.data.error.code)
