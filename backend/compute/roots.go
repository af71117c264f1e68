package compute

import "math/big"

// evenRoot gives r to the power of p where that is rational and p = m/n is small.
func evenRoot(r, p *big.Rat) (*big.Rat, bool) {
	if !p.Denom().IsInt64() || p.Denom().Int64() > 64 || !p.Num().IsInt64() || p.Num().Int64() < 1 || p.Num().Int64() > 64 || r.Sign() < 0 {
		return nil, false
	}
	n := p.Denom().Int64()
	num, ok1 := wholeRoot(r.Num(), n)
	den, ok2 := wholeRoot(r.Denom(), n)
	if !ok1 || !ok2 {
		return nil, false
	}
	m := p.Num()
	return new(big.Rat).SetFrac(new(big.Int).Exp(num, m, nil), new(big.Int).Exp(den, m, nil)), true
}

// wholeRoot is the nth root of x where it is whole.
func wholeRoot(x *big.Int, n int64) (*big.Int, bool) {
	low, high := big.NewInt(0), new(big.Int).Lsh(big.NewInt(1), uint(x.BitLen()/int(n)+1))
	for low.Cmp(high) < 0 {
		mid := new(big.Int).Rsh(new(big.Int).Add(low, high), 1)
		if new(big.Int).Exp(mid, big.NewInt(n), nil).Cmp(x) < 0 {
			low = mid.Add(mid, big.NewInt(1))
		} else {
			high = mid
		}
	}
	return low, new(big.Int).Exp(low, big.NewInt(n), nil).Cmp(x) == 0
}
