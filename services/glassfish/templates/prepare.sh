# What a domain needs and says nothing of this run is that of the domain that GlassFish is packed with.
set -eu

cp -n "{{ site }}"/target/glassfish/domains/domain1/config/* "{{ folder }}/config/"
