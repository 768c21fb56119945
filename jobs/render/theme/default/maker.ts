/**
 * Who made a document, above its text and on its card.
 *
 * @module
 */

/** `face.liquid`: the picture of somebody beside their name; style sheets that do not know it leave it small. */
export const FACE =
  `<img class="face" src="{{ image.cuts.square.path }}"{% if image.cuts.square.srcset != "" %} srcset="{{ image.cuts.square.srcset }}" sizes="{{ pixels }}px"{% endif %} alt="" width="{{ pixels }}" height="{{ pixels }}"{% if lazy %} loading="lazy"{% endif %}>`;

/** From when a document is, and how long it takes to read. */
export const TIMES = `{%- if document.when %}
<time datetime="{{ document.when.iso }}">{{ document.when.text }}</time>
{%- endif %}
{%- if document.reading %}
<span>{{ document.reading.text }}</span>
{%- endif %}`;

/** `when.liquid`: by whom a document in a list is, from when, and how long it takes to read. */
export const WHEN = `{%- if document.bylines.size > 0 or document.when or document.reading %}
<p class="when">
{%- for by in document.bylines %}
{%- if by.writer %}
<span class="by">{% if by.image %}{% render "face", image: by.image, pixels: 24, lazy: true %}{% endif %}{{ by.value.title }}</span>
{%- endif %}
{%- endfor %}
${TIMES}
</p>
{%- endif %}`;
