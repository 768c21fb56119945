// Uses the client that oapi-codegen makes.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"github.com/oapi-codegen/nullable"

	"cms/client"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	token := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("CMS_TOKEN"))
		return nil
	}
	cms := must(client.NewClientWithResponses(
		os.Getenv("CMS_URL"), client.WithRequestEditorFn(token),
	))
	status := client.PostCreateStatus("published")
	made := must(cms.CreatePostWithResponse(ctx, nil, client.PostCreate{
		Title:   "Made",
		Rating:  nullable.NewNullableWithValue[float32](4),
		Section: nullable.NewNullableWithValue[client.PostCreateSection]("News"),
		Status:  &status,
	})).JSON201
	read := must(cms.GetPostWithResponse(ctx, made.Id, nil)).JSON200
	changed := must(cms.UpdatePostWithResponse(ctx, made.Id, nil, client.PostPatch{
		Rating: nullable.NewNullableWithValue[float32](5),
	})).JSON200
	list := must(cms.ListPostsWithResponse(ctx, nil)).JSON200
	gone := must(cms.DeletePostWithResponse(ctx, made.Id, nil))
	missing := must(cms.GetPostWithResponse(ctx, made.Id, nil))
	fmt.Println(read.Title, must(read.Section.Get()), must(changed.Rating.Get()),
		list.Meta.Total, gone.StatusCode())
	fmt.Println(missing.JSON404.Error.Code)
}
