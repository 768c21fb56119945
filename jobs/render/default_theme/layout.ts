/**
 * The frame of every page.
 *
 * @module
 */

/** `layout.liquid` */
export const LAYOUT = `<!doctype html>
<html lang="{{ site.language }}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{% if page.kind == "home" %}{{ site.title }}{% else %}{{ page.title }} – {{ site.title }}{% endif %}</title>
{%- if page.description != "" %}
<meta name="description" content="{{ page.description }}">
{%- endif %}
{%- if page.canonical %}
<link rel="canonical" href="{{ page.canonical }}">
{%- else %}
<meta name="robots" content="noindex">
{%- endif %}
{%- for feed in page.feeds %}
<link rel="alternate" type="{{ feed.type }}" title="{{ feed.title }}" href="{{ feed.path }}">
{%- endfor %}
<meta property="og:site_name" content="{{ site.title }}">
<meta property="og:title" content="{{ page.title }}">
<meta property="og:type" content="{% if page.kind == "document" %}article{% else %}website{% endif %}">
{%- if page.canonical %}
<meta property="og:url" content="{{ page.canonical }}">
{%- endif %}
{%- if page.description != "" %}
<meta property="og:description" content="{{ page.description }}">
{%- endif %}
{%- if page.image %}
<meta property="og:image" content="{{ page.image.url }}">
<meta property="og:image:width" content="{{ page.image.width }}">
<meta property="og:image:height" content="{{ page.image.height }}">
<meta property="og:image:alt" content="{{ page.image.alt }}">
<meta name="twitter:card" content="summary_large_image">
{%- endif %}
{%- if document %}
<meta property="article:published_time" content="{{ document.published.iso }}">
<meta property="article:modified_time" content="{{ document.updated.iso }}">
{%- endif %}
{%- if page.structured %}
<script type="application/ld+json">{{ page.structured }}</script>
{%- endif %}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<meta name="color-scheme" content="light dark">
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
