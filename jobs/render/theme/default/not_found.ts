/**
 * The answer where there is no page.
 *
 * @module
 */

/** `not_found.liquid` */
export const NOT_FOUND = `{% layout "layout" %}{% block main %}
<header class="head">
<p class="kicker">404</p>
<h1>{{ page.title }}</h1>
<p class="lead">{{ site.words.notFoundWhy }}</p>
</header>
<p class="more"><a href="/">{{ site.words.firstPage }}</a> <a href="/search">{{ site.words.search }}</a></p>
{% endblock %}`;
