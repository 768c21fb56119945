/**
 * A block, a group or a row of a repeater, field by field, where the theme has no `blocks/<name>` for it.
 *
 * @module
 */

/** `block.liquid` */
export const BLOCK = `{%- for field in block.body %}
{% render "field", field: field %}
{%- endfor %}
{%- if block.facts.size > 0 %}
<dl class="facts">
{%- for field in block.facts %}
<div><dt>{{ field.label }}</dt><dd>{% render "field", field: field %}</dd></div>
{%- endfor %}
</dl>
{%- endif %}`;
