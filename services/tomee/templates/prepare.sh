# Beans are taken from a folder of the instance's own.
set -eu

cp -r "{{ site }}/target/beans/{{ application }}-{{ factor.beans }}" "{{ folder }}/apps/{{ application }}"
