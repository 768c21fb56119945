/**
 * The documents that carry a tag, a page of them.
 *
 * @module
 */
import { PAGES } from "./pages.ts";

/** `tag.liquid` */
export const TAG = `{% layout "layout" %}{% block main %}
<header class="head">
<p class="kicker"><a href="{{ collection.path }}">{{ collection.name }}</a></p>
<h1>{{ tag.label }}{% if number %} <span class="part">{{ part }}</span>{% endif %}</h1>
{%- if tag.description != "" %}
<p class="lead">{{ tag.description }}</p>
{%- endif %}
{%- if tag.about %}
<p class="more"><a href="{{ tag.about }}">{{ site.words.about | replace: "{name}", tag.label }}</a></p>
{%- endif %}
</header>
<ul class="teasers">
{%- for document in documents %}
{% render "teaser", document: document, level: 2, lead: forloop.first %}
{%- endfor %}
</ul>
${PAGES}
{% endblock %}`;
