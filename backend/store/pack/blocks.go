package pack

import "footnote/backend/evidence"

// PackBlocks packs the steps of blocks (evidence.AppendBlocks).
func (p *Packer) PackBlocks(blocks []evidence.Block) ([]byte, error) {
	out, err := evidence.AppendBlocks(nil, blocks)
	if err != nil {
		return nil, err
	}
	packed, err := p.Pack(out)
	if err == nil {
		packed[0] |= stepped
	}
	return packed, err
}

// UnpackBlocks reads what PackBlocks wrote, and the JSON of older versions.
func UnpackBlocks(packed []byte) ([]evidence.Block, error) {
	if len(packed) == 0 || packed[0]&stepped == 0 {
		var blocks []evidence.Block
		return blocks, UnpackJSON(packed, &blocks)
	}
	form := append([]byte{packed[0] &^ stepped}, packed[1:]...)
	data, err := Unpack(form)
	if err != nil {
		return nil, err
	}
	return evidence.ReadBlocks(data)
}
