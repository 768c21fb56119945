/**
 * Who made a document, above its text and on its card.
 *
 * @module
 */

/** Names of the fields whose makers wrote a document: others are told on its own page alone, with what they did. */
export const WRITERS =
  `{%- assign writers = "author authors by byline writer writers creator creators" | split: " " %}`;

/** `face.liquid`: the picture of somebody beside their name; style sheets that do not know it leave it small. */
export const FACE =
  `<img class="face" src="{{ image.cuts.square.path }}"{% if image.cuts.square.srcset != "" %} srcset="{{ image.cuts.square.srcset }}" sizes="{{ pixels }}px"{% endif %} alt="" width="{{ pixels }}" height="{{ pixels }}"{% if lazy %} loading="lazy"{% endif %}>`;

/** `when.liquid`: by whom a document in a list is, from when, and how long it takes to read. */
export const WHEN = `{%- if document.bylines.size > 0 or document.when or document.reading %}
<p class="when">
${WRITERS}
{%- for by in document.bylines %}
{%- if forloop.first or writers contains by.name %}
<span class="by">{% if by.image %}{% render "face", image: by.image, pixels: 24, lazy: true %}{% endif %}{{ by.value.title }}</span>
{%- endif %}
{%- endfor %}
{%- if document.when %}
<time datetime="{{ document.when.iso }}">{{ document.when.text }}</time>
{%- endif %}
{%- if document.reading %}
<span>{{ document.reading.text }}</span>
{%- endif %}
</p>
{%- endif %}`;
