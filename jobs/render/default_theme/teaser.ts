/**
 * A document in a list of documents.
 *
 * @module
 */

/** `teaser.liquid` */
export const TEASER = `<li><article class="teaser{% if document.image %} pictured{% endif %}">
{%- if document.image %}
<img src="{{ document.image.path }}"{% if document.image.srcset != "" %} srcset="{{ document.image.srcset }}" sizes="{% if first %}(min-width: 60rem) 40rem, 100vw{% else %}(min-width: 60rem) 22rem, (min-width: 40rem) 45vw, 100vw{% endif %}"{% endif %} alt="" width="{{ document.image.width }}" height="{{ document.image.height }}"{% if first %} fetchpriority="high"{% else %} loading="lazy"{% endif %}>
{%- endif %}
<h{{ level }}><a href="{{ document.path }}">{{ document.title }}</a></h{{ level }}>
{%- if document.excerpt != "" %}
<p>{{ document.excerpt }}</p>
{%- endif %}
<p class="when"><time datetime="{{ document.published.iso }}">{{ document.published.text }}</time></p>
</article></li>`;
