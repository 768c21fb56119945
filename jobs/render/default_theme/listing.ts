/**
 * The documents of a collection, a page of them.
 *
 * @module
 */

/** `listing.liquid` */
export const LISTING = `{% layout "layout" %}{% block main %}
<header class="head">
<h1>{{ collection.name }}{% if number %} <span class="part">archive, page {{ number }}</span>{% endif %}</h1>
{%- if collection.description != "" %}
<p class="lead">{{ collection.description }}</p>
{%- endif %}
</header>
{%- if documents.size > 0 %}
<ul class="teasers">
{%- for document in documents %}
{% render "teaser", document: document, level: 2 %}
{%- endfor %}
</ul>
{%- else %}
<p class="empty">Nothing has been published here yet.</p>
{%- endif %}
{%- if newer or older %}
<nav class="pages" aria-label="Pages">
{%- if newer %}<a rel="prev" href="{{ newer }}">← Newer</a>{% endif %}
{%- if older %}<a rel="next" href="{{ older }}">Older →</a>{% endif %}
</nav>
{%- endif %}
{% endblock %}`;
