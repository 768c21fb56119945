/**
 * The documents of a collection, a page of them.
 *
 * @module
 */
import { PAGES } from "./pages.ts";

/** `listing.liquid` */
export const LISTING = `{% layout "layout" %}{% block main %}
<header class="head">
<h1>{{ collection.name }}{% if number %} <span class="part">{{ part }}</span>{% endif %}</h1>
{%- if collection.description != "" %}
<p class="lead">{{ collection.description }}</p>
{%- endif %}
</header>
{%- if documents.size > 0 %}
<ul class="teasers">
{%- for document in documents %}
{% render "teaser", document: document, level: 2, lead: forloop.first %}
{%- endfor %}
</ul>
{%- else %}
<p class="empty">{{ site.words.nothingHere }}</p>
{%- endif %}
${PAGES}
{% endblock %}`;
