/**
 * The frame of every page.
 *
 * @module
 */

const LENS = `<svg viewBox="0 0 20 20" width="18" height="18" fill="none" stroke="currentColor" ` +
  `stroke-width="1.75" stroke-linecap="round" aria-hidden="true"><circle cx="8.75" cy="8.75" r="5.75"/><path d="m13 13 4.5 4.5"/></svg>`;

/** `layout.liquid` */
export const LAYOUT = `<!doctype html>
<html lang="{{ site.language }}" dir="{{ site.direction }}">
<head>
{{ page.head }}
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#fdfcfa" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#161514" media="(prefers-color-scheme: dark)">
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
<a class="skip" href="#main">{{ site.words.skip }}</a>
<header class="masthead">
<div class="wide">
<a class="name" href="/"{% if page.kind == "home" %} aria-current="page"{% endif %}>
{%- if site.logo %}<img src="{{ site.logo.path }}" alt="{{ site.title }}" width="{{ site.logo.width }}" height="{{ site.logo.height }}">
{%- else %}{{ site.title }}{% endif -%}
</a>
<a class="find" href="/search"{% if page.kind == "search" %} aria-current="page"{% endif %}>${LENS}{{ site.words.search }}</a>
{%- if site.menu.size > 0 %}
<nav aria-label="{{ site.words.sections }}"><ul>
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
<p><a class="name" href="/">{{ site.title }}</a>{% if site.description != "" %}<span>{{ site.description }}</span>{% endif %}</p>
<nav aria-label="{{ site.words.footer }}"><ul>
{%- for entry in site.menu %}
<li><a href="{{ entry.url }}">{{ entry.label }}</a></li>
{%- endfor %}
<li><a href="/feed.xml">RSS</a></li>
<li><a href="/feed.json">JSON Feed</a></li>
</ul></nav>
</div>
</footer>
</body>
</html>
`;
