import { fieldChanges } from "../../../routes/studio/history/field_changes.ts";
import { assertEquals } from "../../support/harness/assert.ts";
import { NOTHING_REFERENCED } from "../../../routes/studio/controls/referenced.ts";
import { blockDefinition, collection, field, nested, schema } from "../../support/sites/site.ts";

Deno.test("fieldChanges() says times, flags and images as people do", () => {
  const posts = collection("posts", [
    field("eventAt", "datetime"),
    field("featured", "boolean"),
    field("body", "rich_text"),
  ]);
  const [eventAt, featured, body] = posts.fields.map(({ key }) => key);
  const framing = { collectionId: posts.id, title: "Hello", publishAt: null };
  const before = {
    ...framing,
    data: { [eventAt!]: 1_800_000_000, [featured!]: true, [body!]: [] },
  };
  const image = { _type: "image", _key: "k1", media: "01KT1GW6G0NPAWD9RD8HSVVFHE", alt: "A lamp" };
  const after = {
    ...framing,
    publishAt: 1_800_000_000,
    data: { [eventAt!]: 1_800_003_600, [featured!]: false, [body!]: [image] },
  };

  const changes = fieldChanges("document", before, after, {
    schema: schema([posts]),
    timezone: "Europe/Vienna",
    referenced: NOTHING_REFERENCED,
  });

  const said = changes.map(({ label, before, after }) => [label, before, after]);
  assertEquals(said, [
    ["Scheduled for", "", "15 Jan 2027, 09:00 CET"],
    ["EventAt", "15 Jan 2027, 09:00 CET", "15 Jan 2027, 10:00 CET"],
    ["Featured", "Yes", "No"],
    ["Body", "", "Image: A lamp"],
  ]);
});

const AUTHOR = "01KT1GW6G0NPAWD9RD8HSVVFHE";
const COVER = "01KT1GW6G0NPAWD9RD8HSVVFHF";
const GONE = "01KT1GW6G0NPAWD9RD8HSVVFHG";
const REFERENCED = {
  media: new Map([[
    COVER,
    {
      url: "/media/lamp.png",
      mime: "image/png" as const,
      filename: "lamp.png",
      alt: "",
      width: 30,
      height: 20,
    },
  ]]),
  documents: new Map([[
    AUTHOR,
    { title: "Mary Anning", collection: "Authors", status: "published" as const },
  ]]),
};

Deno.test("fieldChanges() names referenced entities, and describes nested values line by line", () => {
  const posts = collection("posts", [
    field("author", "reference"),
    field("cover", "media"),
    field("topics", "multi_select"),
    field("rating", "number"),
    field("seo", "group", { fields: [nested("heading", "text"), nested("hidden", "boolean")] }),
    field("sources", "repeater", { fields: [nested("name", "text"), nested("link", "url")] }),
    field("related", "repeater", { fields: [nested("document", "reference")] }),
    field("facts", "json"),
  ]);
  const quote = blockDefinition("quote", [nested("words", "text"), nested("by", "reference")]);
  const framing = { id: "d1", collectionId: posts.id, title: "Hello" };
  const data = {
    author: AUTHOR,
    cover: COVER,
    topics: ["light", "storms"],
    rating: 4,
    seo: { heading: "A lamp", hidden: true },
    sources: [{ name: "The log", link: "https://example.org" }, { name: "A letter" }],
    related: [{ document: AUTHOR }, { document: GONE }],
    facts: { words: 87 },
  };
  const review = { state: "returned", note: "Please", answer: "Too long", returnedBy: AUTHOR };
  const blocks = [{ type: "quote", id: "q1", data: { words: "Nobody pays.", by: AUTHOR } }];

  const changes = fieldChanges("document", null, { ...framing, data, blocks, review }, {
    schema: schema([posts], [quote]),
    timezone: "UTC",
    referenced: REFERENCED,
  });

  const said = Object.fromEntries(changes.map(({ label, after }) => [label, after]));
  assertEquals(said, {
    Title: "Hello",
    Review: "Changes requested: Too long",
    "Page blocks": "quote\nWords: Nobody pays.\nBy: Mary Anning",
    Author: "Mary Anning",
    Cover: "lamp.png",
    Topics: "light, storms",
    Rating: "4",
    Seo: "Heading: A lamp\nHidden: Yes",
    Sources: "Name: The log\nLink: https://example.org\n\nName: A letter",
    Related: `Mary Anning\nDeleted document (${GONE})`,
    Facts: '{\n  "words": 87\n}',
  });
  assertEquals(changes.filter(({ runs }) => runs === null).map(({ label }) => label), ["Facts"]);
  const cover = changes.find(({ label }) => label === "Cover");
  assertEquals(cover?.images?.map((image) => image?.url ?? null), [null, "/media/lamp.png"]);
});

Deno.test("fieldChanges() compares rich texts block by block, with blocks of the site and images", () => {
  const posts = collection("posts", [field("body", "rich_text")]);
  const [body] = posts.fields.map(({ key }) => key);
  const quote = blockDefinition("quote", [nested("words", "text"), nested("by", "reference")]);
  const state = (words: string) => ({
    collectionId: posts.id,
    data: {
      [body!]: [
        { _type: "image", _key: "i", media: COVER },
        { _type: "quote", _key: "q", words, by: AUTHOR },
      ],
    },
  });
  const scope = { schema: schema([posts], [quote]), timezone: "UTC", referenced: REFERENCED };

  const [change] = fieldChanges("document", state("Old words"), state("New words"), scope);

  assertEquals(
    change?.blocks?.map(({ kind, after, runs }) => [
      kind,
      after?.label,
      after?.image?.url,
      runs.map(({ kind, text }) => `${kind} ${text}`),
    ]),
    [
      ["same", "Image", "/media/lamp.png", []],
      ["changed", "quote", undefined, [
        "same Words: ",
        "removed Old ",
        "added New ",
        "same words\nBy: Mary Anning",
      ]],
    ],
  );
});

Deno.test("fieldChanges() shows values as they are that have the same words", () => {
  const posts = collection("posts", [field("author", "reference")]);
  const other = "01KT1GW6G0NPAWD9RD8HSVVFHH";
  const documents = new Map([...REFERENCED.documents].flatMap(([id, one]) =>
    [[id, one], [
      other,
      one,
    ]] as const
  ));
  const state = (author: string) => ({ collectionId: posts.id, data: { author } });

  const [change] = fieldChanges("document", state(AUTHOR), state(other), {
    schema: schema([posts]),
    timezone: "UTC",
    referenced: { media: new Map(), documents },
  });

  assertEquals([change?.runs, change?.before, change?.after], [
    null,
    `"${AUTHOR}"`,
    `"${other}"`,
  ]);
});
