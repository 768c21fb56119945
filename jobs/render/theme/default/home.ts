/**
 * The first page of the site.
 *
 * @module
 */

/**
 * `home.liquid`. The masthead says the name of the site to those who see it; the heading says it to those who do not,
 * so that the page begins with what is new. Rows of documents are full: the first of all stands alone, others as halves,
 * thirds and quarters of their row.
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
{%- if leads %}
{%- if forloop.first %}{% assign span = "whole" %}
{%- elsif forloop.length == 5 %}{% assign span = "quarter" %}
{%- elsif forloop.length == 4 %}{% assign span = "third" %}
{%- else %}{% assign span = "half" %}{% endif %}
{%- elsif forloop.length == 3 or forloop.length == 5 and forloop.index > 2 %}{% assign span = "third" %}
{%- else %}{% assign span = "half" %}{% endif %}
{% render "teaser", document: document, level: 3, span: span %}
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
