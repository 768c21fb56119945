/**
 * A field's value by its type, for documents and blocks that the theme has no template of their own for.
 *
 * @module
 */

/** `field.liquid` */
export const FIELD = `{%- case field.type -%}
{%- when "rich_text" -%}<div class="prose">{{ field.value }}</div>
{%- when "text" -%}{% if field.multiline %}<p class="plain">{{ field.value }}</p>{% else %}{{ field.value }}{% endif %}
{%- when "boolean" -%}{% if field.value %}Yes{% else %}No{% endif %}
{%- when "datetime" -%}<time datetime="{{ field.value.iso }}">{{ field.value.text }}</time>
{%- when "multi_select" -%}{{ field.value | join: ", " }}
{%- when "url" -%}<a href="{{ field.value }}" rel="noopener">{{ field.value }}</a>
{%- when "email" -%}<a href="mailto:{{ field.value | url_encode }}">{{ field.value }}</a>
{%- when "media" -%}<figure><img src="{{ field.value.path }}" alt="{{ field.value.alt }}" width="{{ field.value.width }}" height="{{ field.value.height }}" loading="lazy"></figure>
{%- when "reference" -%}<a href="{{ field.value.path }}">{{ field.value.title }}</a>
{%- when "json" -%}
{%- when "block" -%}{% for block in field.value %}{{ block }}{% endfor %}
{%- when "group" -%}<section class="group"><h2>{{ field.label }}</h2>{% render "block", block: field %}</section>
{%- when "repeater" -%}<section class="group"><h2>{{ field.label }}</h2><ol class="rows">{% for row in field.rows %}<li>{% render "block", block: row %}</li>{% endfor %}</ol></section>
{%- else -%}{{ field.value }}
{%- endcase -%}`;
