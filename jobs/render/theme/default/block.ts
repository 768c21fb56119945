/**
 * A block, a group or a row of a repeater, where the theme has no `blocks/<name>` for it. Some are known by what they
 * hold: a picture with its caption, a quotation, a notice, a link, a question with its answer, a line of a programme.
 * All others are shown field by field.
 *
 * @module
 */
import { pictureOf } from "../../views/field_renderings.ts";

const CAPTION =
  `{%- if fact %}<figcaption>{% render "field", field: fact %}</figcaption>{% endif -%}`;

/** `block.liquid`; a row has no name. */
export const BLOCK = `{%- assign one = block.body[0] -%}
{%- assign fact = block.facts[0] -%}
{%- assign second = block.facts[1] -%}
{%- assign bodies = block.body.size -%}
{%- assign shape = "any" -%}
{%- if bodies == 1 and block.facts.size == 1 -%}
{%- assign mime = one.value.mime | default: "" | slice: 0, 6 -%}
{%- if one.kind == "medium" and mime == "image/" and fact.kind == "words" %}{% assign shape = "picture" %}
{%- elsif one.kind == "prose" and fact.kind == "choice" %}{% assign shape = "notice" %}
{%- elsif block.name == "quote" and one.kind == "words" %}{% assign shape = "quote" %}
{%- elsif block.name == nil and fact.kind == "words" and one.kind != "medium" %}{% assign shape = "headed" %}
{%- endif -%}
{%- elsif bodies == 1 and block.facts.size == 0 and block.name == "quote" and one.kind == "words" -%}
{%- assign shape = "quote" -%}
{%- elsif bodies == 0 and block.facts.size == 2 and fact.kind == "words" and second.kind == "address" -%}
{%- assign shape = "link" -%}
{%- elsif bodies == 0 and block.facts.size == 2 and block.name == nil -%}
{%- assign shape = "pair" -%}
{%- elsif bodies == 0 and block.facts.size == 1 and block.name == nil -%}
{%- assign shape = "single" -%}
{%- endif -%}
{%- case shape -%}
{%- when "picture" -%}
<figure class="bare">${pictureOf("one")}${CAPTION}</figure>
{%- when "quote" -%}
<figure class="bare quote"><blockquote>{% render "field", field: one %}</blockquote>${CAPTION}</figure>
{%- when "notice" -%}
<p class="tone">{{ fact.value | capitalize }}</p>
{% render "field", field: one %}
{%- when "headed" -%}
<h3>{{ fact.value }}</h3>
{% render "field", field: one %}
{%- when "link" -%}
<a href="{{ second.value }}" rel="noopener">{{ fact.value }}</a>
{%- when "pair" -%}
<p class="pair"><span>{% render "field", field: fact %}</span> <span>{% render "field", field: second %}</span></p>
{%- when "single" -%}
{% render "field", field: fact %}
{%- else -%}
{%- for field in block.body %}
{% render "field", field: field %}
{%- endfor %}
{%- if block.facts.size > 0 %}
<dl class="facts">
{%- for field in block.facts %}
<div><dt>{{ field.label }}</dt><dd>{% render "field", field: field %}</dd></div>
{%- endfor %}
</dl>
{%- endif %}
{%- endcase -%}`;
