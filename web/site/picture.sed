# Shortens a chart by gnuplot (sed -E). The white ground is removed, so that the page's own shows.
# The font becomes the page's. Repeated attributes are removed. Text keeps every digit; coordinates
# keep one after the point.
/^<\?xml|^<desc>|^[[:space:]]*$/d
/^<rect x="0" y="0" width="[0-9]+" height="[0-9]+" fill="#ffffff"\/>$/d
/<filter id='greybox'/,/<\/filter>/d
s/^[[:space:]]+//
s/[[:space:]]+/ /g
s/^<svg ?/<svg font-family="system-ui,sans-serif" font-size="13" /
s/ font-family="DejaVu Sans"//g
s/ class="gridline"| text-anchor="start"//g
s/<tspan[^>]*><\/tspan>//g
s/<tspan ?>([^<]*)<\/tspan>/\1/g
s/rgb\(51,51,51\)/#333/g
s/rgb\(227,227,227\)/#e3e3e3/g
s/ ?'\/>/'\/>/g
s/<title>[^<]*<\/title>//
s/^<g id="gnuplot_plot[^>]*>/<g>/
s/<g id="gnuplot_canvas"[^>]*>/<style>text{stroke:none}<\/style><g fill="none" color="black" stroke="currentColor" stroke-width="1.2">/
s/^<g fill="none" color="black" stroke="currentColor" stroke-width="1.20">/<g>/
s/^(<(g transform|text).*) stroke="none"/\1/
s/^(<(g transform|text).*) font-size="13"/\1/
s/^(<text x="[0-9]+\.[0-9])[0-9]*(" y="[0-9]+\.[0-9])[0-9]*"/\1\2"/
/^<text|<tspan/!{
s/([0-9]\.[0-9])[0-9]+/\1/g
s/([0-9])\.0([^0-9])/\1\2/g
s/<path [^>]*d='M[0-9.,-]*'\/> ?//
s/([0-9]) L/\1L/g
}
