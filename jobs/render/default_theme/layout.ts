/**
 * The frame of every page.
 *
 * @module
 */

/** `layout.liquid` */
export const LAYOUT = `<!doctype html>
<html lang="{{ site.language }}">
<head>
{% render "head", site: site, page: page, document: document %}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<meta name="color-scheme" content="light dark">
<link rel="preload" href="{{ "instrument-sans.woff2" | asset }}" as="font" type="font/woff2" crossorigin>
{%- if site.font == "newsreader" %}
<link rel="preload" href="{{ "newsreader.woff2" | asset }}" as="font" type="font/woff2" crossorigin>
{%- endif %}
<link rel="stylesheet" href="{{ "site.css" | asset }}">
{%- if site.look %}
<link rel="stylesheet" href="{{ site.look }}">
{%- endif %}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="masthead">
<div class="wide">
<a class="name" href="/"{% if page.kind == "home" %} aria-current="page"{% endif %}>
{%- if site.logo %}<img src="{{ site.logo.path }}" alt="{{ site.title }}" width="{{ site.logo.width }}" height="{{ site.logo.height }}">
{%- else %}{{ site.title }}{% endif -%}
</a>
<a class="find" href="/search"{% if page.kind == "search" %} aria-current="page"{% endif %}>Search</a>
{%- if site.menu.size > 0 %}
<nav aria-label="Sections"><ul>
{%- for entry in site.menu %}
<li><a href="{{ entry.url }}"{% if entry.current %} aria-current="{{ entry.current }}"{% endif %}>{{ entry.label }}</a></li>
{%- endfor %}
</ul></nav>
{%- endif %}
</div>
</header>
<main id="main" class="wide {{ page.kind }}" tabindex="-1">
{% block main %}{% endblock %}
</main>
<footer class="colophon">
<div class="wide">
<p><a class="name" href="/">{{ site.title }}</a>{% if site.description != "" %}<br>{{ site.description }}{% endif %}</p>
<p><a href="/feed.xml">RSS</a> <a href="/feed.json">JSON Feed</a></p>
</div>
</footer>
</body>
</html>
`;
