/**
 * A document in a list of documents.
 *
 * @module
 */

/** `teaser.liquid` */
export const TEASER = `<li><article class="teaser">
<h{{ level }}><a href="{{ document.path }}">{{ document.title }}</a></h{{ level }}>
{%- if document.excerpt != "" %}
<p>{{ document.excerpt }}</p>
{%- endif %}
<p class="when"><time datetime="{{ document.published.iso }}">{{ document.published.text }}</time></p>
</article></li>`;
