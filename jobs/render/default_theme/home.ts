/**
 * The first page of the site.
 *
 * @module
 */

/**
 * `home.liquid`. The masthead says the name of the site to those who see it; the heading says it to those who do not,
 * so that the page begins with what is new.
 */
export const HOME = `{% layout "layout" %}{% block main %}
<header class="head opening">
<h1>{{ site.title }}</h1>
{%- if site.description != "" %}
<p class="lead">{{ site.description }}</p>
{%- endif %}
</header>
{%- for section in sections %}
<section aria-labelledby="section-{{ section.slug }}">
<h2 class="section" id="section-{{ section.slug }}"><a href="{{ section.path }}">{{ section.name }}</a></h2>
<ul class="teasers{% if forloop.first %} leading{% endif %}">
{%- assign leads = forloop.first %}
{%- for document in section.documents %}
{%- assign first = false %}
{%- if leads and forloop.first %}{% assign first = true %}{% endif %}
{% render "teaser", document: document, level: 3, first: first %}
{%- endfor %}
</ul>
{%- if section.more %}
<p class="more"><a href="{{ section.path }}">{{ site.words.more | replace: "{name}", section.name }}</a></p>
{%- endif %}
</section>
{%- else %}
<p class="empty">{{ site.words.nothing }}</p>
{%- endfor %}
{% endblock %}`;
