import { describe, expect, test } from 'vitest';
import { pictureOf } from './picture';

const svgOf = (picture: string): string => decodeURIComponent(picture.replace(/^data:[^,]*,/, ''));

describe('a drawing', () => {
  test('becomes a picture of known size', () => {
    const drawing = pictureOf('<svg viewBox="0 0 120.5 80" style="max-width:120px"><style>.a{fill:red}</style><g class="a"><rect width="10" height="10"/><text>A</text></g></svg>');
    expect(drawing).toMatchObject({ width: 121, height: 80 });
    expect(svgOf(drawing!.picture)).toMatch(/<svg[^>]*width="121"/);
    expect(svgOf(drawing!.picture)).toContain('fill:red');
  });

  test('keeps nothing that could run, link or load', () => {
    const bad = '<svg viewBox="0 0 9 9"><script>alert(1)</script><a href="http://a.example"><text>A</text></a><image href="http://a.example/b.png"/>'
      + '<foreignObject><iframe src="http://a.example"></iframe></foreignObject><rect onclick="alert(1)" width="1"/><use href="#x"/></svg>';
    const svg = svgOf(pictureOf(bad)!.picture);
    expect(svg).not.toMatch(/script|<a |href|foreignObject|iframe|onclick|<use|<image/i);
    expect(svg).toContain('<rect');
  });

  test('without a size there is none', () => {
    expect(pictureOf('<svg><rect/></svg>')).toBeNull();
    expect(pictureOf('not a drawing')).toBeNull();
  });
});
