/**
 * The documents that carry a tag, a page of them.
 *
 * @module
 */

/** `tag.liquid` */
export const TAG = `{% layout "layout" %}{% block main %}
<header class="head">
<p class="kicker"><a href="{{ collection.path }}">{{ collection.name }}</a></p>
<h1>{{ tag.label }}{% if number %} <span class="part">archive, page {{ number }}</span>{% endif %}</h1>
{%- if tag.description != "" %}
<p class="lead">{{ tag.description }}</p>
{%- endif %}
{%- if tag.about %}
<p class="more"><a href="{{ tag.about }}">About {{ tag.label }}</a></p>
{%- endif %}
</header>
<ul class="teasers">
{%- for document in documents %}
{% render "teaser", document: document, level: 2 %}
{%- endfor %}
</ul>
{%- if newer or older %}
<nav class="pages" aria-label="Pages">
{%- if newer %}<a rel="prev" href="{{ newer }}">← Newer</a>{% endif %}
{%- if older %}<a rel="next" href="{{ older }}">Older →</a>{% endif %}
</nav>
{%- endif %}
{% endblock %}`;
