// What can be found out about a page by looking at it. Run as a whole, it gives the functions.
(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const parsed = new Map();
  // A colour as red, green, blue and opacity, from 0 to 255, however it was written.
  const rgba = colour => {
    if (!parsed.has(colour)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      parsed.set(colour, [...canvas.getImageData(0, 0, 1, 1).data]);
    }
    return parsed.get(colour);
  };
  const over = (above, below) => [0, 1, 2].map(i => (above[i] * above[3] + below[i] * (255 - above[3])) / 255);
  const page = matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18] : [255, 255, 255];
  const background = element => {
    if (!element) return page;
    const own = rgba(getComputedStyle(element).backgroundColor);
    return own[3] === 255 ? own : over(own, background(element.parentElement));
  };
  const luminance = colour => {
    const [red, green, blue] = colour.map(part => part / 255).map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  // A drawn text stands on the box that is drawn just before it, if there is one.
  const ground = element => {
    const box = element.previousElementSibling;
    const drawn = box instanceof SVGRectElement ? rgba(getComputedStyle(box).fill) : [0, 0, 0, 0];
    return over(drawn, background(element));
  };
  const contrast = element => {
    const style = getComputedStyle(element);
    const below = ground(element);
    const above = over(rgba(element instanceof SVGElement ? style.fill : style.color), below);
    const [dark, light] = [luminance(above), luminance(below)].sort((one, other) => one - other);
    return (light + 0.05) / (dark + 0.05);
  };
  const seen = element => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
  const named = element => `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}: ${(element.textContent || element.value || '').trim().slice(0, 40)}`;
  const withText = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const elements = new Set(document.querySelectorAll('input:not([type=hidden]), select, button'));
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      if (walker.currentNode.data.trim() && !element.closest('title, desc, style')) elements.add(element);
    }
    return [...elements].filter(seen);
  };
  const inBox = element => element && (getComputedStyle(element).overflowX !== 'visible' || inBox(element.parentElement));
  return {
    texts: () => withText().length,
    faint: () => withText().filter(element => contrast(element) < 4.5).map(element => `${contrast(element).toFixed(2)} ${named(element)}`),
    // What reaches beyond the window, unless it scrolls in a box of its own.
    wide: () => {
      const beyond = [...document.body.querySelectorAll('*')].filter(element => seen(element) && element.getBoundingClientRect().right > innerWidth + 0.5 && !inBox(element));
      const widest = document.scrollingElement.scrollWidth;
      return [...beyond.map(named), ...(widest > innerWidth ? [`the page is ${widest} px wide`] : [])];
    },
    // Names in a chart that lie over its marks or each other.
    covering: () => [...document.querySelectorAll('svg')].filter(seen).flatMap(chart => {
      const box = element => element.getBoundingClientRect();
      const meet = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
      const names = [...chart.querySelectorAll('text.name')];
      const others = [...chart.querySelectorAll('.mark'), ...names];
      return names.filter(name => others.some(other => other !== name && meet(box(name), box(other)))).map(named);
    }),
    headings: () => [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter(seen).map(heading => Number(heading.tagName[1])),
    unnamed: () => [...document.querySelectorAll('svg[role=img], [role=img], [role=region], input:not([type=hidden]), select')].filter(element => {
      const labels = (element.getAttribute('aria-labelledby') ?? '').split(' ').map(id => document.getElementById(id)?.textContent);
      const name = [element.getAttribute('aria-label'), ...labels, ...[...element.labels ?? []].map(label => label.textContent)];
      return !name.some(text => text?.trim());
    }).map(named),
  };
})()
