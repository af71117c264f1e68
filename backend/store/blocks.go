package store

import "footnote/backend/evidence"

// packBlocks packs the steps of blocks (evidence.AppendBlocks).
func (p *packer) packBlocks(blocks []evidence.Block) ([]byte, error) {
	out, err := evidence.AppendBlocks(nil, blocks)
	if err != nil {
		return nil, err
	}
	packed, err := p.pack(out)
	if err == nil {
		packed[0] |= stepped
	}
	return packed, err
}

// unpackBlocks reads what packBlocks wrote, and the JSON of older versions.
func unpackBlocks(packed []byte) ([]evidence.Block, error) {
	if len(packed) == 0 || packed[0]&stepped == 0 {
		var blocks []evidence.Block
		return blocks, unpackJSON(packed, &blocks)
	}
	form := append([]byte{packed[0] &^ stepped}, packed[1:]...)
	data, err := unpack(form)
	if err != nil {
		return nil, err
	}
	return evidence.ReadBlocks(data)
}
