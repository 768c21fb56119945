/**
 * A document.
 *
 * @module
 */

/** `document.liquid` */
export const DOCUMENT = `{% layout "layout" %}{% block main %}
<article>
<header class="head">
<p class="kicker"><a href="{{ collection.path }}">{{ collection.name }}</a></p>
<h1>{{ document.title }}</h1>
{%- if document.lead != "" %}
<p class="lead">{{ document.lead }}</p>
{%- endif %}
<p class="when"><time datetime="{{ document.published.iso }}">{{ document.published.text }}</time></p>
</header>
{%- if document.image %}
<figure class="hero"><img src="{{ document.image.path }}" alt="{{ document.image.alt }}" width="{{ document.image.width }}" height="{{ document.image.height }}"></figure>
{%- endif %}
{%- for field in document.body %}
{% render "field", field: field %}
{%- endfor %}
{%- for block in document.blocks %}
{{ block }}
{%- endfor %}
{%- if document.facts.size > 0 %}
<dl class="facts">
{%- for field in document.facts %}
<div><dt>{{ field.label }}</dt><dd>{% render "field", field: field %}</dd></div>
{%- endfor %}
</dl>
{%- endif %}
</article>
{% endblock %}`;
